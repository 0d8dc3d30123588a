package prune

import (
	"fmt"
	"regexp"
	"strings"

	"klabel/csource"
)

// forms are what labels become for the optimiser, calls of functions that are defined nowhere. They are
// tried in this order, each for what those before it leave open. What a branch says
// of its variables is followed further than what a value does. But with a branch at each label
// a loop in whose condition many stand is taken apart: how often it runs, and so what
// its counter holds, is not seen any more. A call that is given the predicate's value leaves the
// program's branches as they are; and the fewer labels are asked for, the less of them is in the way.
// What always stands inline sees the constants of each call, and comes last for its length.
var forms = []struct {
	name     string
	ask      func(*csource.Unit, []*labelSite) []question
	inlining bool
}{{"compiler", questions, false}, {"values", values, false}, {"inlined", questions, true}}

func values(_ *csource.Unit, labels []*labelSite) (out []question) {
	for _, l := range labels {
		v := fmt.Sprintf("b%d", l.ID)
		out = append(out, question{[]*labelSite{l}, fmt.Sprintf("klabel_probe_%s(%s);", v, l.Predicate),
			map[string][]bool{v + isTrue: {true}, v + isFalse: {false}}})
	}
	return out
}

// declareProbe declares a probe by its name in the output; one that is given a value twice, which does no harm.
func declareProbe(b *strings.Builder, name string) {
	name, _, given := strings.Cut(name, " ")
	takes := "void"
	if given {
		takes = "_Bool"
	}
	fmt.Fprintf(b, "void klabel_probe_%s(%s); ", name, takes)
}

// isFalse and isTrue end the name of a probe that is given a value: which may be that, and, if it is no constant, the
// other one as well.
const isFalse, isTrue = " false", " true"

var reProbe = regexp.MustCompile(`(?m)^[^d;].*@klabel_probe_(\w+)\(([^)]*)\)`)

// readProbes notes the probes that stand in an optimised program.
func readProbes(text []byte, left map[string]bool) {
	for _, m := range reProbe.FindAllSubmatch(text, -1) {
		name, arg := string(m[1]), string(m[2])
		switch {
		case arg == "":
			left[name] = true
		case strings.HasSuffix(arg, isFalse), strings.HasSuffix(arg, isTrue):
			left[name+arg[strings.LastIndex(arg, " "):]] = true
		default:
			left[name+isFalse], left[name+isTrue] = true, true
		}
	}
}
