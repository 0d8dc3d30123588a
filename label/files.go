package label

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// filesHeader is the first line of a .labels file.
const filesHeader = "# id, status, tag, origin_loc, current_loc, emitter, drivers, exec_time"

// Row is a line of a .labels file, the status file of LTest and its relatives.
//
// The format knows fewer statuses than a campaign does: Pending, Deselected,
// Duplicate and Subsumed are written as unknown. Infeasible is written as
// uncoverable, or as unreachable if Unreachable is set (no run gets to the
// label's position at all).
type Row struct {
	ID          ID
	Status      Status // Unknown, Covered or Infeasible
	Unreachable bool
	Tag         string
	Origin      Location
	Current     Location
	Emitter     string
	Drivers     string  // as in the file: names or paths, joined as their writer did
	Seconds     float64 // exec_time
}

// Location is a place as label files write it: `f.c:7`, `f.c:7:12` with the
// column, `f.c:7:12 (MAX)` inside a use of the macro MAX, or nothing.
type Location struct {
	File   string
	Line   int    // 0: no line is given
	Column int    // 0: no column is given
	Macro  string // "": not in a macro
}

func (l Location) String() string {
	if l.Line == 0 {
		return l.File
	}
	s := l.File + ":" + strconv.Itoa(l.Line)
	if l.Column > 0 {
		s += ":" + strconv.Itoa(l.Column)
	}
	if l.Macro != "" {
		s += " (" + l.Macro + ")"
	}
	return s
}

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

// RowOf makes the row of a label; emitter names the tool that placed it.
func RowOf(l Label, s Status, emitter string) Row {
	return Row{ID: l.ID, Status: fileStatus(s), Tag: strings.Join(l.Tags, " "), Emitter: emitter,
		Origin: Location{l.Position.File, l.Position.Line, l.Position.Column, l.Position.Macro}}
}

// fileStatus is what a status becomes in a .labels file.
func fileStatus(s Status) Status {
	if s == Covered || s == Infeasible {
		return s
	}
	return Unknown
}

// maxFileErrors bounds how many bad lines one reading reports.
const maxFileErrors = 20

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

// EachLine calls f for each line that is neither blank nor a comment.
func EachLine(r io.Reader, name string, f func(n int, line string) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	var errs []error
	n := 0
	for sc.Scan() {
		n++
		line := clean(sc.Text())
		if n == 1 {
			line = clean(strings.TrimPrefix(line, "\ufeff"))
		}
		if line == "" || line[0] == '#' {
			continue
		}
		if err := f(n, line); err != nil && len(errs) < maxFileErrors {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, n, err))
		}
	}
	if err := sc.Err(); err != nil {
		errs = append(errs, fmt.Errorf("%s:%d: %w", name, n+1, err))
	}
	return errors.Join(errs...)
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

// clean removes what cannot stand at the ends of a field.
func clean(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(s, "\r", ""))
}

// WriteFile writes a .labels file with its header line.
func WriteFile(w io.Writer, rows []Row) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, filesHeader)
	for _, r := range rows {
		status := fileStatus(r.Status).String()
		if r.Status == Infeasible {
			status = "uncoverable"
			if r.Unreachable {
				status = "unreachable"
			}
		}
		fields := []string{r.ID.String(), status, r.Tag, r.Origin.String(), r.Current.String(), r.Emitter, r.Drivers,
			seconds(r.Seconds)}
		for i, f := range fields {
			fields[i] = quoteField(f)
		}
		fmt.Fprintln(b, strings.Join(fields, ", "))
	}
	return b.Flush()
}

// seconds writes a number as OCaml's printers do: `0.`, `1.5`.
func seconds(t float64) string {
	s := strconv.FormatFloat(t, 'f', -1, 64)
	if !strings.ContainsRune(s, '.') {
		s += "."
	}
	return s
}

func quoteField(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
	if strings.ContainsAny(s, `,"`) {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// IsName reports whether s is made of the letters of a C name.
func IsName(s string) bool {
	for _, c := range []byte(s) {
		if !(c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	return s != ""
}
