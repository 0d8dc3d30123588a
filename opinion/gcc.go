package opinion

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"klabel/ctests"
	"klabel/report"
	"klabel/toolchain"
)

// line is a line of the user's source.
type line struct {
	file string
	line int
}

// checkGCC says of every decision what gcc measures of the C tests in these folders,
// beside what klabel does: masking, and each value of a condition by itself.
func checkGCC(ctx context.Context, g *toolchain.GCC, folders []string, k *checker, r *report.Result) (report.Checked,
	error) {
	out := report.Checked{Compiler: "gcc " + g.Version}
	theirs, functions := map[line][]toolchain.GCCRecord{}, map[string]bool{}
	for _, f := range folders {
		m, err := ctests.Conditions(ctx, g, f, checkTimeout)
		if err != nil {
			return out, err
		}
		for name := range m.Functions {
			functions[name] = true
		}
		of := map[line][]toolchain.GCCRecord{}
		for _, x := range m.Records {
			of[line{x.File, x.Line}] = append(of[line{x.File, x.Line}], x)
		}
		for at, xs := range of {
			theirs[at] = together(theirs[at], xs)
		}
	}
	mine := map[line][]report.DecisionRow{}
	seen := map[spot]bool{}
	var order []line
	for _, d := range r.Decisions {
		s := k.spot(d.Position)
		if seen[s] || !compared(d) {
			continue
		}
		seen[s] = true
		at := line{s.file, s.line}
		if mine[at] == nil {
			order = append(order, at)
		}
		mine[at] = append(mine[at], d)
	}
	for _, at := range order {
		out.Decisions = append(out.Decisions, k.lineOfGCC(mine[at], theirs[at], functions)...)
	}
	out.Count()
	return out, nil
}

// together joins what runs of different programs show of a line; gcc asks for no
// pairs of one program.
func together(a, b []toolchain.GCCRecord) []toolchain.GCCRecord {
	if a == nil {
		return b
	}
	for i := range a {
		if i >= len(b) || len(b[i].True) != len(a[i].True) {
			break
		}
		for n := range a[i].True {
			a[i].True[n] = a[i].True[n] || b[i].True[n]
			a[i].False[n] = a[i].False[n] || b[i].False[n]
		}
	}
	return a
}

// lineOfGCC compares the decisions of a line, which gcc has in the order of the source.
func (k *checker) lineOfGCC(ds []report.DecisionRow, xs []toolchain.GCCRecord, functions map[string]bool) (
	out []report.CheckRow) {
	slices.SortStableFunc(ds, func(a, b report.DecisionRow) int { return a.Position.Column - b.Position.Column })
	for i, d := range ds {
		row := report.CheckRow{Position: d.Position, Function: d.Function, Text: d.Text, Criterion: d.Criterion,
			Klabel: sides(k.deciding(d))}
		if len(ds) == len(xs) && len(xs[i].True) == len(d.Conditions) {
			row.Compiler = sides(xs[i].True, xs[i].False)
		}
		row.Agrees = row.Compiler != "" && row.Compiler == row.Klabel
		if !row.Agrees {
			row.Why = k.whyGCC(d, len(ds), len(xs), row.Compiler != "", functions)
		}
		out = append(out, row)
	}
	return out
}

// whyGCC names the kind of a difference, "" if none fits.
func (k *checker) whyGCC(d report.DecisionRow, mine, theirs int, measured bool, functions map[string]bool) string {
	switch {
	case d.Note != "":
		return "too many conditions for klabel: " + d.Note
	case d.Position.Macro != "":
		return "in the macro " + d.Position.Macro + ", which gcc counts where it likes"
	case len(d.Conditions) > 64:
		return "more than 64 conditions, the limit of gcc"
	case len(d.Folded) > 0:
		return "constant operands (" + strings.Join(d.Folded, ", ") + "), which gcc leaves out"
	case nested(d):
		return "a condition holds &&, || or ?: itself, which gcc counts among the others"
	case !functions[d.Function]:
		return "the function is in no program of the tests in C"
	case theirs == 0 && len(d.Conditions) == 1:
		return "one condition: gcc has made it no branch"
	case !measured && max(mine, theirs) > 1:
		return fmt.Sprintf("klabel has %d decisions in this line and gcc %d; gcc knows lines, no columns", mine, theirs)
	case measured && twice(d):
		return "a condition stands in the decision twice: both change, gcc asks which would decide by itself"
	case measured && k.lost(d):
		return "tests that cannot be shown as C"
	}
	return ""
}

// twice reports whether two conditions of a decision have the same text.
func twice(d report.DecisionRow) bool {
	for i, c := range d.Conditions {
		if slices.ContainsFunc(d.Conditions[i+1:], func(o report.ConditionRow) bool { return o.Text == c.Text }) {
			return true
		}
	}
	return false
}

// deciding says of each condition whether tests in C have it true, and false, where
// it decides: where another row has its other value, another outcome, and the same of
// all that both evaluate.
func (k *checker) deciding(d report.DecisionRow) (yes, no []bool) {
	yes, no = make([]bool, len(d.Conditions)), make([]bool, len(d.Conditions))
	for _, v := range d.Vectors {
		if !slices.ContainsFunc(v.Tests, func(t string) bool { return k.inC[t] != "" }) {
			continue
		}
		for _, w := range d.Vectors {
			i := onlyDifference(v.Values, w.Values)
			if i < 0 || v.Outcome == w.Outcome {
				continue
			}
			if v.Values[i] == 'T' {
				yes[i] = true
			} else {
				no[i] = true
			}
		}
	}
	return yes, no
}

// onlyDifference is the one condition that two rows evaluate differently, -1 if there
// are none or several.
func onlyDifference(v, w string) int {
	differ := -1
	for i := range v {
		if v[i] == w[i] || v[i] == '-' || w[i] == '-' {
			continue
		}
		if differ >= 0 {
			return -1
		}
		differ = i
	}
	return differ
}

// sides has a letter a condition: T where both its values are seen to decide, t and f
// where one is, F where none.
func sides(yes, no []bool) string {
	b := make([]byte, len(yes))
	for i := range b {
		switch {
		case yes[i] && no[i]:
			b[i] = 'T'
		case yes[i]:
			b[i] = 't'
		case no[i]:
			b[i] = 'f'
		default:
			b[i] = 'F'
		}
	}
	return string(b)
}

// compared reports whether a decision is one that compilers measure.
func compared(d report.DecisionRow) bool {
	return !d.Hyper && !slices.Contains([]string{"CACC", "RACC"}, d.Criterion)
}
