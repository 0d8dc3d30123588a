package opinion

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"klabel/ctests"
	"klabel/label"
	"klabel/report"
	"klabel/toolchain"
)

// checkClang is the comparison with clang's measure.
func (k *checker) checkClang(ctx context.Context, m *toolchain.MCDC, folders []string, r *report.Result,
	stage func(string)) (out report.Checked, err error) {
	out.Compiler = "clang " + m.Clang.Version
	k.major = m.Clang.Major
	stage("compiling and running with " + out.Compiler)
	if k.theirs, k.functions, err = measuredBy(ctx, m, folders, ""); err != nil {
		return out, err
	}
	for _, d := range r.Decisions {
		if nested(d) {
			k.nests = append(k.nests, d)
		}
	}
	seen := map[spot]bool{}
	for _, d := range r.Decisions {
		at := k.spot(d.Position)
		if seen[at] || !compared(d) {
			continue
		}
		seen[at] = true
		if d.Position.Macro != "" {
			k.macros[d.Function] = true
		}
		out.Decisions = append(out.Decisions, k.compare(d, at))
	}
	if slices.ContainsFunc(out.Decisions, func(x report.CheckRow) bool { return !x.Agrees && x.Why == "" }) {
		stage("compiling and running with other addresses")
		elsewhere, _, err := measuredBy(ctx, m, folders, ctests.ElsewhereFlags)
		if err != nil {
			return out, err
		}
		k.movable(out.Decisions, elsewhere)
	}
	out.Decisions = append(out.Decisions, k.others(seen)...)
	out.Count()
	return out, nil
}

// measuredBy is what the compiler measures in the programs of these folders, by place,
// and the functions that it has seen there.
func measuredBy(ctx context.Context, m *toolchain.MCDC, folders []string, flags string) (map[spot]toolchain.MCDCRecord,
	map[string]bool, error) {
	theirs, functions := map[spot]toolchain.MCDCRecord{}, map[string]bool{}
	for _, f := range folders {
		records, err := ctests.MCDC(ctx, m, f, flags, checkTimeout)
		if err != nil {
			return nil, nil, err
		}
		for _, x := range records {
			functions[x.Function[strings.LastIndex(x.Function, ":")+1:]] = true
			if x.Shown == nil {
				continue
			}
			at := spot{x.File, x.Line, x.Column}
			if before, ok := theirs[at]; ok && len(before.Shown) == len(x.Shown) {
				for i := range x.Shown {
					x.Shown[i] = x.Shown[i] || before.Shown[i]
				}
			}
			theirs[at] = x
		}
	}
	return theirs, functions, nil
}

// movable explains differences by a second measure of the same tests, built so that
// objects lie elsewhere in memory: where the compiler does not agree with itself, the
// tests compare addresses of different objects.
func (k *checker) movable(rows []report.CheckRow, elsewhere map[spot]toolchain.MCDCRecord) {
	for i := range rows {
		x := &rows[i]
		if x.Agrees || x.Why != "" || x.Compiler == "" {
			continue
		}
		if again, ok := elsewhere[k.spot(x.Position)]; ok && letters(again.Shown) != x.Compiler {
			x.Why = fmt.Sprintf("the tests compare addresses of different objects: with AddressSanitizer, where they "+
				"lie elsewhere, clang itself measures %s", letters(again.Shown))
		}
	}
}

// compare says what both measure at a decision, and what explains a difference.
func (k *checker) compare(d report.DecisionRow, at spot) report.CheckRow {
	row := report.CheckRow{Position: d.Position, Function: d.Function, Text: d.Text, Criterion: d.Criterion}
	for _, c := range d.Conditions {
		if c.Status == label.Covered {
			row.Covered++
		}
	}
	var together string
	row.Klabel, together = k.uniqueCause(d)
	theirs, measured := k.theirs[at]
	if measured {
		row.Compiler = letters(theirs.Shown)
	}
	switch {
	case measured && row.Klabel == row.Compiler:
		row.Agrees = true
		if shown := strings.Count(row.Klabel, "T"); d.Criterion == "MCDC" && row.Covered > shown {
			row.Why = fmt.Sprintf("masking shows %d more", row.Covered-shown)
		}
		if together != row.Klabel {
			row.Why = "tests of several programs together show " + together
		}
	case d.Note != "":
		row.Why = "too many conditions for klabel: " + d.Note
	case !measured && len(d.Conditions) < 2:
		row.Why = "one condition: clang looks at decisions of two and more"
	case !measured && d.Position.Macro != "":
		row.Why = "in the macro " + d.Position.Macro + ", where clang places it elsewhere"
	case nested(d):
		row.Why = "a condition holds &&, || or ?: itself: clang does not measure such decisions"
	case !measured && k.within(d):
		row.Why = "it stands within a condition of another decision: clang measures neither"
	case !measured && negatedGroup(d.Text):
		row.Why = "! before a group of conditions: clang does not measure such decisions"
	case len(d.Folded) > 0:
		row.Why = "constant operands (" + strings.Join(d.Folded, ", ") + "), which clang counts as folded conditions"
	case !measured && k.major == 18 && len(d.Conditions) > 6:
		row.Why = "more than 6 conditions, the limit of clang 18"
	case !measured && !k.functions[d.Function]:
		row.Why = "the function is in no program of the tests in C"
	case measured && ofMacros(d) && strings.Count(row.Klabel, "T") == strings.Count(row.Compiler, "T"):
		row.Why = "some conditions stand in a macro: clang lists those after others, and as many are shown"
	case measured && len(row.Klabel) == len(row.Compiler) && k.lost(d):
		row.Why = "tests that cannot be shown as C"
	}
	return row
}

// uniqueCause has a letter for each condition: whether tests in C evaluate the
// decision in two ways, with different outcomes, that differ in it alone as far as
// both evaluate. It is what clang looks for.
//
// clang looks at each program by itself; together is what all show.
func (k *checker) uniqueCause(d report.DecisionRow) (each, together string) {
	any := make([]bool, len(d.Conditions))
	for _, folder := range slices.Compact(slices.Sorted(maps.Values(k.inC))) {
		for i, s := range pairsIn(d, func(t string) bool { return k.inC[t] == folder }) {
			any[i] = any[i] || s
		}
	}
	return letters(any), letters(pairsIn(d, func(t string) bool { return k.inC[t] != "" }))
}

// pairsIn says which conditions these tests show.
func pairsIn(d report.DecisionRow, of func(test string) bool) []bool {
	var rows []report.VectorRow
	for _, v := range d.Vectors {
		if slices.ContainsFunc(v.Tests, of) {
			rows = append(rows, v)
		}
	}
	shown := make([]bool, len(d.Conditions))
	for _, v := range rows {
		for _, w := range rows {
			if i := onlyDifference(v.Values, w.Values); i >= 0 && v.Outcome != w.Outcome {
				shown[i] = true
			}
		}
	}
	return shown
}

func letters(shown []bool) string {
	b := make([]byte, len(shown))
	for i, s := range shown {
		b[i] = 'F'
		if s {
			b[i] = 'T'
		}
	}
	return string(b)
}

// others are the decisions in the program's sources that the compiler alone
// measures.
func (k *checker) others(seen map[spot]bool) []report.CheckRow {
	var out []report.CheckRow
	for at, r := range k.theirs {
		i := slices.IndexFunc(k.sources, func(s report.Source) bool { return s.Path == at.file })
		if seen[at] || i < 0 || r.Expansion {
			continue
		}
		out = append(out, report.CheckRow{Function: r.Function, Compiler: letters(r.Shown),
			Position: label.Position{File: k.sources[i].Name, Line: at.line, Column: at.col},
			Why:      k.alone(r)})
	}
	slices.SortFunc(out, func(a, b report.CheckRow) int { return a.Position.Line - b.Position.Line })
	return out
}

// alone says why klabel does not have a decision at a place.
func (k *checker) alone(r toolchain.MCDCRecord) string {
	_, name, static := strings.Cut(r.Function, ":")
	if !static {
		name = r.Function
	}
	if k.macros[name] {
		return "in the definition of a macro, whose uses are above"
	}
	return "klabel was not asked for it, or may not label there: operands of builtins, setjmp"
}
