package annotate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"klabel/annotate/logic"
	"klabel/fault"
)

// family finds the labels of one criterion in one function and puts them at
// their sites under the tag.
type family interface {
	mark(f *function, tag string)
}

// Criterion is an entry of the table of criteria.
type Criterion struct {
	Name    string // as users select it; n-CC and LIMIT-N stand for a number each
	Tag     string // in labels; "" if it is the name
	Meaning string
	Example string // what it asks of docs/criteria.md's example
	Of      string // the criterion that includes it: WM
	make    func(n int) family
}

func plain(f family) func(int) family { return func(int) family { return f } }

// table lists the criteria in the order in which their tags stand on a label
// that several of them share. A new criterion is a type in a file of its own
// and a line here.
var table = []Criterion{
	{Name: "FC", Meaning: "every function is entered",
		Example: "1 at the function's start", make: plain(functionCoverage{})},
	{Name: "STMT", Meaning: "every statement is run", Example: "1 before x = a;", make: plain(statementCoverage{})},
	{Name: "BBC", Meaning: "every basic block is entered",
		Example: "1 at the start of each branch", make: plain(blockCoverage{})},
	{Name: "DC", Meaning: "every decision is true and false, every case of a switch is taken",
		Example: "(a && b), !(a && b)", make: plain(decisionCoverage{})},
	{Name: "CC", Meaning: "every atom of a decision is true and false",
		Example: "a, !a, b, !b", make: plain(conditionCoverage{})},
	{Name: "DCC", Meaning: "DC and CC", Example: "(a && b), !(a && b), a, !a, b, !b", make: plain(decisionCondition{})},
	{Name: "MCC", Meaning: "every combination of signs of a decision's atoms",
		Example: "a && b, a && !b, !a && b, !a && !b", make: plain(multipleCondition{})},
	{Name: "n-CC", Meaning: "every combination of signs of each n atoms (2-CC, 3-CC, ...)",
		Example: "2-CC: a && b, a && !b, !a && b, !a && !b", make: func(n int) family { return nCondition{n} }},
	{Name: "GACC", Meaning: "every atom decides the outcome, true and false (weak MC/DC)",
		Example: "a && b, !a && b, b && a, !b && a", make: plain(activeClause{})},
	{Name: "GICC", Meaning: "every atom does not decide, with both signs and both outcomes",
		Example: "a && !b, !a && !b for a and outcome false", make: plain(inactiveClause{})},
	{Name: "MCDC", Meaning: "MC/DC, masking: every condition is shown to decide the outcome by itself, by two tests",
		Example: "a && b with !a; a && b with a && !b", make: plain(independence{rule: logic.Masking})},
	{Name: "UMCDC", Meaning: "MC/DC, unique cause: the same, no other condition changes between the two tests",
		Example: "a && b with !a; a && b with a && !b", make: plain(independence{rule: logic.UniqueCause})},
	{Name: "UMMCDC", Meaning: "MC/DC, unique cause but for conditions coupled with the one shown, which may be masked",
		Example: "a && b with !a; a && b with a && !b", make: plain(independence{rule: logic.CoupledOnly})},
	{Name: "CACC", Meaning: "masking MC/DC of clauses: without short circuit, all occurrences of a clause are one",
		Example: "a && b with !a && b; a && b with a && !b",
		make:    plain(independence{rule: logic.Masking, clauses: true})},
	{Name: "RACC", Meaning: "unique-cause MC/DC of clauses",
		Example: "a && b with !a && b; a && b with a && !b",
		make:    plain(independence{rule: logic.UniqueCause, clauses: true})},
	{Name: "IC", Meaning: "every implicant of a minimal DNF of the decision and of its negation",
		Example: "a && b, !a, !b", make: plain(implicantCoverage{})},
	{Name: "UTPC", Meaning: "every such implicant, and none of the others",
		Example: "a && b, !a && !(!b), !b && !(!a)", make: plain(uniqueTruePoint{})},
	{Name: "LIMIT-N", Meaning: "an integer comparison is true within N of its boundary (LIMIT-0, LIMIT-1, ...)",
		Example: "LIMIT-0: x < y && y - x - 1 <= 0", make: func(n int) family { return limitCoverage{n} }},
	{Name: "WM", Meaning: "weak mutation: all of the operators below", Example: "see there"},
	{Name: "WM-AOR", Tag: "WM AOR", Of: "WM", Meaning: "an arithmetic, bitwise or shift operator is replaced",
		Example: "(a + b) != (a - b)", make: plain(arithmeticOperator{})},
	{Name: "WM-ROR", Tag: "WM ROR", Of: "WM", Meaning: "a relation is replaced",
		Example: "(a < b) != (a <= b)", make: plain(relationalOperator{})},
	{Name: "WM-COR", Tag: "WM COR", Of: "WM", Meaning: "&& or || is replaced by the other, or by an operand",
		Example: "(a && b) != (a || b)", make: plain(conditionalOperator{})},
	{Name: "WM-ABS", Tag: "WM ABS", Of: "WM", Meaning: "a signed operand is negative",
		Example: "a < 0", make: plain(absoluteValue{})},
	{Name: "WM-UOI", Tag: "WM UOI", Of: "WM", Meaning: "an operand gets -, ~, !, + 1 or - 1",
		Example: "(a + b) != (-a + b)", make: plain(unaryInsertion{})},
	{Name: "WM-SDL", Tag: "WM SDL", Of: "WM", Meaning: "an assignment is left out",
		Example: "x != a", make: plain(statementDeletion{})},
	{Name: "IDP", Meaning: "formals are negative, zero and positive; NULL and not; each enumeration item; members",
		Example: "a < 0, a == 0, a > 0", make: plain(inputPartition{})},
	{Name: "IOB", Meaning: "formals and the returned value are at their type's limits",
		Example: "a == INT_MIN, a == INT_MAX", make: plain(inputOutputBoundary{})},
	{Name: "CB", Meaning: "variables of conditions at their type's limits, operands of comparisons equal and different",
		Example: "a == b, a != b", make: plain(conditionBoundary{})},
	{Name: "ADC", Meaning: "every definition of a variable reaches a use of it",
		Example: "x was set in line 4, before one of its uses", make: plain(dataflow{of: onePair})},
	{Name: "AUC", Meaning: "every definition of a variable reaches all uses that it can reach: counts definitions",
		Example: "x was set in line 4, before each of its uses", make: plain(dataflow{of: allPairs})},
	{Name: "DUC", Meaning: "every pair of a definition and a use that it may reach: what AUC asks for, pair by pair",
		Example: "x was set in line 4, before a use", make: plain(dataflow{})},
	{Name: "FCC", Meaning: "every function is called from each function that calls it",
		Example: "1 before g(x)", make: plain(callCoverage{})},
	{Name: "CALL", Meaning: "every call is made, each where it stands",
		Example: "1 before g(x)", make: plain(callSites{})},
	{Name: "ELO", Meaning: "every loop's body is run",
		Example: "1 at the start of the body", make: plain(loopEntered{})},
	{Name: "SLO", Meaning: "every loop is skipped",
		Example: "the body was not entered, behind the loop", make: plain(loopSkipped{})},
	{Name: "LOOP", Meaning: "every loop ends after no round, after one, and after more",
		Example: "it ran once, behind the loop", make: plain(loopCounts{})},
	{Name: "RTE", Meaning: "an operation fails: division by zero, index, NULL, shift, overflow",
		Example: "p == 0 before *p", make: plain(runtimeErrors{})},
	{Name: "FAIL", Meaning: "a failure is reported: abort, a trap, an assertion that does not hold",
		Example: "1 before abort()", make: plain(failureCalls{})},
	{Name: "PATCH", Meaning: "every basic block that a diff changes is entered (needs --patch or --revisions)",
		Example: "1 at the start of the block", make: plain(patchCoverage{})},
	{Name: "custom", Meaning: "labels written by hand, kept as they are", Example: "cov_label(x > 7, 1, \"mine\");"},
}

// Criteria lists the table for people.
func Criteria() []Criterion { return append([]Criterion(nil), table...) }

// selected is a criterion that a run wants.
type selected struct {
	tag string
	fam family
}

var numbered = regexp.MustCompile(`^(?i:(\d+)-CC|LIMIT(?:-(\d+))?)$`)

// maxN bounds the numbers in n-CC and LIMIT-N.
const maxN = 1 << 20

// selectCriteria resolves names, in the table's order. Names are taken in any
// case; operators of WM also without the prefix.
func selectCriteria(names []string) ([]selected, error) {
	want := map[string][]int{} // by table name: numbers, or -1
	for _, list := range names {
		for _, name := range strings.Split(list, ",") {
			name = strings.TrimSpace(name)
			if name == "" {
				continue
			}
			c, n, err := find(name)
			if err != nil {
				return nil, err
			}
			want[c] = append(want[c], n)
		}
	}
	if len(want) == 0 {
		return nil, fault.WithHint(fault.Usagef("no criterion is given"),
			"--criteria CC,MCC,WM; `klabel criteria` lists them")
	}
	var out []selected
	for _, c := range table {
		ns := want[c.Name]
		if len(ns) == 0 && c.Of != "" && len(want[c.Of]) > 0 {
			ns = []int{-1}
		}
		seen := map[int]bool{}
		for _, n := range ns {
			if seen[n] || c.make == nil {
				continue
			}
			seen[n] = true
			tag := c.Tag
			switch {
			case tag != "":
			case c.Name == "n-CC":
				tag = fmt.Sprintf("%d-CC", n)
			case c.Name == "LIMIT-N":
				tag = fmt.Sprintf("LIMIT-%d", n)
			default:
				tag = c.Name
			}
			out = append(out, selected{tag, c.make(n)})
		}
	}
	return out, nil
}

func find(name string) (table0 string, n int, err error) {
	if m := numbered.FindStringSubmatch(name); m != nil {
		digits, kind := m[1], "n-CC"
		if digits == "" {
			kind, digits = "LIMIT-N", m[2]
			if digits == "" {
				digits = "0"
			}
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n > maxN || kind == "n-CC" && n == 0 {
			return "", 0, fault.Usagef("the number in criterion %s is out of range", name)
		}
		return kind, n, nil
	}
	for _, c := range table {
		if strings.EqualFold(c.Name, name) || c.Of != "" &&
			strings.EqualFold(strings.TrimPrefix(c.Name, c.Of+"-"), name) {
			if c.Name == "n-CC" || c.Name == "LIMIT-N" {
				return "", 0, fault.WithHint(fault.Usagef("criterion %s needs a number in place of the letter",
					c.Name), "2-CC, LIMIT-1")
			}
			return c.Name, -1, nil
		}
	}
	var all []string
	for _, c := range table {
		all = append(all, c.Name)
	}
	hint := "`klabel criteria` lists all"
	if near := fault.Nearest(name, all); len(near) > 0 {
		hint = "nearest: " + strings.Join(near, ", ") + "; " + hint
	}
	return "", 0, fault.WithHint(fault.Usagef("unknown criterion %q", name), "%s", hint)
}
