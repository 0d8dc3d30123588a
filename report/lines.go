package report

import (
	"path/filepath"
	"slices"
	"strings"

	"klabel/label"
)

// The formats of other coverage tools know files, functions, lines and
// branches. In them a label is a branch of its line; one that is proved
// infeasible is none, so that covered branches over branches is klabel's own
// ratio of feasible labels. Of decisions under a criterion of pairs the
// conditions count, as they do in klabel's summary, and not the rows of their
// truth tables. A line is one that has labels, and is hit as often as tests of
// the suite satisfy one of them, or where a function begins, and is hit as often
// as that is: klabel knows of no other lines.

// sourceFile is a file with its labelled lines.
type sourceFile struct {
	Name, Path string
	Lines      []sourceLine // in order
	Functions  []sourceFunction
}

// sourceLine is a line with its labels.
type sourceLine struct {
	Number     int
	Rows       []LabelRow // not the deselected ones
	Branches   []LabelRow // of these what counts by itself, and is not proved infeasible
	Conditions []measured // of the decisions here, those not proved infeasible
	Hits       int        // tests of the suite that satisfy a label of it
}

// measured is a condition of a decision, under one criterion.
type measured struct {
	ConditionRow
	Criterion string
}

// branches counts what is asked for on the line, and what of it is covered:
// labels and conditions.
func (l sourceLine) branches() (all, covered int) {
	for _, r := range l.Branches {
		if r.Status == label.Covered {
			covered++
		}
	}
	for _, c := range l.Conditions {
		if c.Status == label.Covered {
			covered++
		}
	}
	return len(l.Branches) + len(l.Conditions), covered
}

// sourceFunction is a function with the lines that its labels stand in.
type sourceFunction struct {
	Name  string
	Line  int // where it starts, or its first labelled line
	Hits  int
	Lines []int
}

// files groups the labels of a result by file and line.
func (r *Result) files() []sourceFile {
	type place struct {
		file string
		line int
	}
	rows := map[place][]LabelRow{}
	lines := map[string][]int{}
	for _, row := range r.Rows {
		if row.Status == label.Deselected {
			continue
		}
		p := place{row.Position.File, row.Position.Line}
		if rows[p] == nil {
			lines[p.file] = append(lines[p.file], p.line)
		}
		rows[p] = append(rows[p], row)
	}
	conditions := map[place][]measured{}
	for _, d := range r.Decisions {
		p := place{d.Position.File, d.Position.Line}
		for _, c := range d.Conditions {
			if c.Status != label.Infeasible {
				conditions[p] = append(conditions[p], measured{c, d.Criterion})
			}
		}
		if rows[p] == nil && conditions[p] != nil && !slices.Contains(lines[p.file], p.line) {
			lines[p.file] = append(lines[p.file], p.line)
		}
	}
	vectors := vectorsOf(r.Decisions)
	paths := map[string]string{}
	for _, s := range r.Sources {
		paths[s.Name] = s.Path
	}
	var out []sourceFile
	for name, numbers := range lines {
		f := sourceFile{Name: name, Path: paths[name]}
		if f.Path == "" {
			f.Path = name
		}
		slices.Sort(numbers)
		for _, n := range numbers {
			l := sourceLine{Number: n, Rows: rows[place{name, n}], Conditions: conditions[place{name, n}]}
			var tests []string
			for _, row := range l.Rows {
				if row.Status != label.Infeasible && row.own(vectors) {
					l.Branches = append(l.Branches, row)
				}
				if row.Status == label.Covered {
					tests = append(tests, row.hitting()...)
				}
			}
			slices.Sort(tests)
			l.Hits = len(slices.Compact(tests))
			f.Lines = append(f.Lines, l)
		}
		f.Functions = r.functionsIn(f)
		f.addBeginnings()
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b sourceFile) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// addBeginnings adds the lines in which functions begin: readers want a function's
// line among the lines.
func (f *sourceFile) addBeginnings() {
	for i, fn := range f.Functions {
		at, found := slices.BinarySearchFunc(f.Lines, fn.Line, func(l sourceLine, n int) int { return l.Number - n })
		if !found {
			f.Lines = slices.Insert(f.Lines, at, sourceLine{Number: fn.Line, Hits: fn.Hits})
			f.Functions[i].Lines = slices.Insert(fn.Lines, 0, fn.Line)
		}
	}
}

// own reports whether a label counts by itself: whether it is more than a row of
// truth tables.
func (r LabelRow) own(vectors map[label.ID][]string) bool {
	return slices.ContainsFunc(r.Criteria(), func(c string) bool { return !slices.Contains(vectors[r.ID], c) })
}

// hitting are the tests that cover a label: those of the suite or, where none
// of them is left, the first that did.
func (r LabelRow) hitting() []string {
	if len(r.Tests) > 0 || r.Status != label.Covered {
		return r.Tests
	}
	return []string{r.Test}
}

// functionsIn lists the functions that labels of a file name.
func (r *Result) functionsIn(f sourceFile) []sourceFunction {
	var out []sourceFunction
	at := map[string]int{}
	tests := map[string][]string{}
	for _, l := range f.Lines {
		for _, row := range l.Rows {
			if row.Function == "" {
				continue
			}
			i, ok := at[row.Function]
			if !ok {
				i = len(out)
				at[row.Function] = i
				out = append(out, sourceFunction{Name: row.Function, Line: l.Number})
			}
			if n := len(out[i].Lines); n == 0 || out[i].Lines[n-1] != l.Number {
				out[i].Lines = append(out[i].Lines, l.Number)
			}
			tests[row.Function] = append(tests[row.Function], row.hitting()...)
		}
	}
	for _, row := range r.Functions {
		if i, ok := at[row.Name]; ok && row.File == f.Name && row.Line > 0 {
			out[i].Line = row.Line
		}
	}
	for i := range out {
		all := tests[out[i].Name]
		slices.Sort(all)
		out[i].Hits = len(slices.Compact(all))
	}
	slices.SortStableFunc(out, func(a, b sourceFunction) int { return a.Line - b.Line })
	return out
}

// relative names a file from the options' directory, with slashes.
func (o Options) relative(f sourceFile) string {
	if o.Dir != "" {
		if rel, err := filepath.Rel(o.Dir, f.Path); err == nil && !strings.HasPrefix(rel, "..") {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(f.Path)
}

// sums of a file.
func (f sourceFile) sums() (lines, hit, branches, covered int) {
	for _, l := range f.Lines {
		lines++
		if l.Hits > 0 {
			hit++
		}
		all, some := l.branches()
		branches += all
		covered += some
	}
	return lines, hit, branches, covered
}
