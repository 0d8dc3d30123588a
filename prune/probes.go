package prune

import (
	"fmt"
	"regexp"
	"strings"
)

// probeForm is what a label becomes for the optimiser: a call of a function that is
// defined nowhere.
type probeForm struct {
	name    string
	declare func(*labelSite) string
	code    func(*labelSite) string
	// left reports, of the probes in the output, whether the predicate may be true there, and
	// whether it may be false.
	left func(l *labelSite, left map[string]bool) (yes, no bool)
}

// forms are tried in this order, each for what those before it leave open. What a branch says
// of its variables is followed further than what a value does. But with a branch at each label
// a loop in whose condition many stand is taken apart: how often it runs, and so what
// its counter holds, is not seen any more. A call that is given the predicate's value leaves the
// program's branches as they are; and the fewer labels are asked for, the less of them is in the way.
var forms = []probeForm{{
	name: "compiler",
	declare: func(l *labelSite) string {
		return fmt.Sprintf("void klabel_probe_n%d(void); void klabel_probe_p%d(void); ", l.ID, l.ID)
	},
	code: func(l *labelSite) string {
		return fmt.Sprintf("if (%s) klabel_probe_n%d(); else klabel_probe_p%d();", l.Predicate, l.ID, l.ID)
	},
	left: func(l *labelSite, left map[string]bool) (yes, no bool) {
		return left[fmt.Sprintf("n%d", l.ID)], left[fmt.Sprintf("p%d", l.ID)]
	},
}, {
	name:    "values",
	declare: func(l *labelSite) string { return fmt.Sprintf("void klabel_probe_v%d(_Bool); ", l.ID) },
	code:    func(l *labelSite) string { return fmt.Sprintf("klabel_probe_v%d(%s);", l.ID, l.Predicate) },
	left: func(l *labelSite, left map[string]bool) (yes, no bool) {
		v := fmt.Sprintf("v%d", l.ID)
		return left[v] || left[v+isTrue], left[v] || left[v+isFalse]
	},
}}

// isFalse and isTrue end the name of a probe in whose call a constant stands.
const isFalse, isTrue = " false", " true"

var reProbe = regexp.MustCompile(`(?m)^[^d;].*@klabel_probe_(\w+)\(([^)]*)\)`)

// readProbes notes the probes that stand in an optimised program.
func readProbes(text []byte, left map[string]bool) {
	for _, m := range reProbe.FindAllSubmatch(text, -1) {
		name, arg := string(m[1]), string(m[2])
		for _, constant := range []string{isFalse, isTrue} {
			if strings.HasSuffix(arg, constant) {
				name += constant
			}
		}
		left[name] = true
	}
}
