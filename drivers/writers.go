package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// Writers finds, by name, the variables with external linkage that functions of the
// units set, and those of these functions that other files can call. What two units
// define is of two programs: nothing is said of it.
func Writers(units []*csource.Unit) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	home, twice := map[string]int{}, map[string]bool{}
	for i, u := range units {
		an := newAnalysis(u)
		for _, f := range u.Functions() {
			if f.Static || f.Inline || f.Origin.System || f.Name == "main" {
				continue
			}
			if k, ok := home[f.Name]; ok && k != i {
				twice[f.Name] = true
			}
			home[f.Name] = i
			for _, name := range an.sets(f) {
				if out[name] == nil {
					out[name] = map[string]bool{}
				}
				out[name][f.Name] = true
			}
		}
	}
	for _, functions := range out {
		for f := range twice {
			delete(functions, f)
		}
	}
	return out
}

// sets are the variables with external linkage that a call of a function may set.
func (a *analysis) sets(f *csource.Function) (out []string) {
	r := a.reach(f)
	written := map[string]bool{}
	for _, g := range r.funcs {
		for name, how := range a.of(g.Name).access {
			written[name] = written[name] || how&writes != 0
		}
	}
	for _, d := range r.outside {
		if _, isFunc := d.Type().(*cc.FunctionType); !isFunc && written[d.Name()] && d.Linkage() == cc.External {
			out = append(out, d.Name())
		}
	}
	return out
}

// mayWrite is what a call of a function may do to some variables of the unit: one that
// another file defines sets them, if it does, as Options.Writers tells.
func (s *shared) mayWrite(f *csource.Function, vars map[string]bool) (how access) {
	if f.Def == nil {
		for name := range vars {
			if s.common.Writers[name][f.Name] {
				return writes
			}
		}
		return 0
	}
	for _, g := range s.an.reach(f).funcs {
		for name, a := range s.an.of(g.Name).access {
			if vars[name] {
				how |= a
			}
		}
	}
	return how
}

// hasStatics reports whether a function, or what it calls, has static variables of its own.
func (a *analysis) hasStatics(f *csource.Function) bool {
	for _, g := range a.reach(f).funcs {
		if len(a.of(g.Name).statics) > 0 {
			return true
		}
	}
	return false
}
