package label

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

func parseLocation(s string) Location {
	rest, macro := s, ""
	if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") && IsName(s[i+2:len(s)-1]) {
		rest, macro = s[:i], s[i+2:len(s)-1]
	}
	file, last, ok := cutNumber(rest)
	if !ok {
		return Location{File: s}
	}
	if f, line, ok := cutNumber(file); ok {
		return Location{f, line, last, macro}
	}
	return Location{file, last, 0, macro}
}

// cutNumber splits the number off the end of `text:number`.
func cutNumber(s string) (text string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil || n < 1 || strconv.Itoa(n) != s[i+1:] {
		return s, 0, false
	}
	return s[:i], n, true
}

// ReadFile reads a .labels file; name is used in messages. Blank lines,
// comments, CRLF, missing trailing fields and a missing header are accepted.
// Bad lines are left out and reported together as name:line: what is wrong;
// the good rows are returned all the same, in the file's order.
func ReadFile(r io.Reader, name string) ([]Row, error) {
	var rows []Row
	seen := map[ID]int{}
	err := EachLine(r, name, func(n int, line string) error {
		row, err := parseRow(line)
		if err != nil {
			return err
		}
		if first, dup := seen[row.ID]; dup {
			return fmt.Errorf("label %d is on line %d already", row.ID, first)
		}
		seen[row.ID] = n
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

func parseRow(line string) (Row, error) {
	var row Row
	cr := csv.NewReader(strings.NewReader(line))
	cr.TrimLeadingSpace = true
	cr.LazyQuotes = true
	f, err := cr.Read()
	if err != nil {
		return row, fmt.Errorf("not a line of comma-separated values: %w", err)
	}
	if len(f) < 2 {
		return row, errors.New("a line needs at least an id and a status")
	}
	if len(f) > 8 {
		return row, fmt.Errorf("%d fields, at most 8 are expected (a comma in a field needs double quotes around the "+
			"field)", len(f))
	}
	for i := range f {
		f[i] = clean(f[i])
	}
	for len(f) < 8 {
		f = append(f, "")
	}
	if row.ID, err = ParseID(f[0]); err != nil {
		return row, err
	}
	s, err := ParseStatus(strings.ToLower(f[1]))
	if err != nil {
		return row, err
	}
	row.Status = fileStatus(s)
	row.Unreachable = strings.EqualFold(f[1], "unreachable")
	row.Tag, row.Emitter, row.Drivers = f[2], f[5], f[6]
	row.Origin, row.Current = parseLocation(f[3]), parseLocation(f[4])
	if f[7] != "" {
		t, err := strconv.ParseFloat(f[7], 64)
		if err != nil || t < 0 || t > 1e15 || t != t {
			return row, fmt.Errorf("exec_time %q is not a number of seconds", f[7])
		}
		row.Seconds = t
	}
	return row, nil
}
