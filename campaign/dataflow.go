package campaign

import (
	"path/filepath"
	"slices"
	"strings"

	"klabel/annotate"
)

// mostNamed bounds the variables that a warning names.
const mostNamed = 8

// globals are, for each unit, the globals that dataflow criteria may look at: those that
// are as good as static, and those of several units. None without such criteria, or
// where code that is not here may set them: files that do not compile, bitcode, objects
// and libraries, and the project's own tests.
func (p *program) globals(j *Job, wishes []criteriaWish, o annotate.Options) (own []map[string]bool,
	across []map[string]*annotate.Across) {
	flow := slices.ContainsFunc(wishes, func(w criteriaWish) bool {
		return slices.ContainsFunc(w.criteria, func(c string) bool {
			return slices.ContainsFunc(strings.Split(c, ","), func(c string) bool {
				return slices.Contains([]string{"ADC", "AUC", "DUC"}, strings.ToUpper(strings.TrimSpace(c)))
			})
		})
	})
	if !flow || len(p.broken) > 0 || len(p.modules) > 0 || j.ExistingRun != "" ||
		slices.ContainsFunc(p.linkFlags, foreign) {
		return nil, nil
	}
	own, left := annotate.OwnGlobals(p.units)
	if len(wishes) == 1 { // else a unit is labelled several times, and no time knows of the others
		across, left = annotate.SharedGlobals(p.units, left, o, func(i int) bool { return p.sources[i].Stubs })
		for i, m := range across {
			for name := range m {
				own[i][name] = true
			}
		}
	}
	if n := len(left); n > 0 {
		if n > mostNamed {
			left = append(left[:mostNamed:mostNamed], "others")
		}
		p.warnings = append(p.warnings, "dataflow: variables that several files speak of, and not by their names "+
			"alone, are left out: "+strings.Join(left, ", "))
	}
	return own, across
}

// foreign reports whether an option links code that may know the program's variables.
func foreign(option string) bool {
	if name, ok := strings.CutPrefix(option, "-l"); ok {
		return !slices.Contains([]string{"m", "pthread", "c", "dl", "rt"}, name)
	}
	return slices.Contains([]string{".o", ".a", ".so", ".bc"}, filepath.Ext(option))
}
