package campaign

import (
	"path/filepath"
	"slices"
	"strings"

	"klabel/annotate"
)

// mostNamed bounds the variables that a warning names.
const mostNamed = 8

// ownGlobals are, for each unit, the globals that dataflow criteria may look at as if
// they were static; nil without such criteria, or where code that is not here may set
// them: files that do not compile, bitcode, objects and libraries, and the project's own
// tests.
func (p *program) ownGlobals(j *Job, wishes []criteriaWish) []map[string]bool {
	flow := slices.ContainsFunc(wishes, func(w criteriaWish) bool {
		return slices.ContainsFunc(w.criteria, func(c string) bool {
			return slices.ContainsFunc(strings.Split(c, ","), func(c string) bool {
				return slices.Contains([]string{"ADC", "AUC", "DUC"}, strings.ToUpper(strings.TrimSpace(c)))
			})
		})
	})
	if !flow || len(p.broken) > 0 || len(p.modules) > 0 || j.ExistingRun != "" ||
		slices.ContainsFunc(p.linkFlags, foreign) {
		return nil
	}
	own, shared := annotate.OwnGlobals(p.units)
	if n := len(shared); n > 0 {
		if n > mostNamed {
			shared = append(shared[:mostNamed:mostNamed], "others")
		}
		p.warnings = append(p.warnings, "dataflow: variables that several files speak of are left out: "+
			strings.Join(shared, ", "))
	}
	return own
}

// foreign reports whether an option links code that may know the program's variables.
func foreign(option string) bool {
	if name, ok := strings.CutPrefix(option, "-l"); ok {
		return !slices.Contains([]string{"m", "pthread", "c", "dl", "rt"}, name)
	}
	return slices.Contains([]string{".o", ".a", ".so", ".bc"}, filepath.Ext(option))
}
