package label

import (
	"bufio"
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
