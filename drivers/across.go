package drivers

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Across is what functions of a program do that files see of each other by name alone.
type Across struct {
	// Writers are, by variables with external linkage, functions that set them and that other files can call. What two
	// units define is of two programs: nothing is said of it.
	Writers map[string]map[string]bool
	// Allocating are functions that ask for memory, or may, and Streaming those that use streams.
	Allocating, Streaming map[string]bool
}

// AcrossFiles finds it in the units of a program.
func AcrossFiles(units []*csource.Unit) Across {
	out := Across{map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}}
	home, twice := map[string]int{}, map[string]bool{}
	callers := map[string][]string{} // by what they call
	for i, u := range units {
		an := newAnalysis(u)
		named := u.Identifiers(slices.AppendSeq(slices.Collect(maps.Keys(isAllocator)), maps.Keys(onStreams))...)
		// A pointer may lead to what a unit names.
		memory, streams := meet(named, isAllocator), meet(named, onStreams)
		for _, f := range u.Functions() {
			if f.Static || f.Inline || f.Origin.System || f.Name == "main" {
				continue
			}
			if k, ok := home[f.Name]; ok && k != i {
				twice[f.Name] = true
			}
			home[f.Name] = i
			for _, name := range an.sets(f) {
				if out.Writers[name] == nil {
					out.Writers[name] = map[string]bool{}
				}
				out.Writers[name][f.Name] = true
			}
			r := an.reach(f)
			pointers := slices.ContainsFunc(r.funcs, func(g *csource.Function) bool { return an.of(g.Name).indirect })
			out.Allocating[f.Name] = out.Allocating[f.Name] || pointers && memory || r.calls(isAllocator)
			out.Streaming[f.Name] = out.Streaming[f.Name] || pointers && streams || r.calls(onStreams)
			for _, d := range r.outside {
				callers[d.Name()] = append(callers[d.Name()], f.Name)
			}
		}
	}
	for _, functions := range out.Writers {
		for f := range twice {
			delete(functions, f)
		}
	}
	spread(out.Allocating, callers)
	spread(out.Streaming, callers)
	return out
}

// isAllocator are the functions that give memory.
var isAllocator = func() map[string]bool {
	out := map[string]bool{}
	for _, r := range replaced {
		out[r.name] = true
	}
	return out
}()

// meet reports whether two sets have something in common.
func meet(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}

// calls reports whether one of some functions of the library is called.
func (r reach) calls(names map[string]bool) bool {
	return slices.ContainsFunc(r.outside, func(d *cc.Declarator) bool { return names[d.Name()] })
}

// spread makes callers of what is true true.
func spread(is map[string]bool, callers map[string][]string) {
	var list []string
	for name, yes := range is {
		if yes {
			list = append(list, name)
		}
	}
	for len(list) > 0 {
		name := list[len(list)-1]
		list = list[:len(list)-1]
		for _, c := range callers[name] {
			if !is[c] {
				is[c] = true
				list = append(list, c)
			}
		}
	}
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
// another file defines sets them, if it does, as Options.Across tells.
func (s *shared) mayWrite(f *csource.Function, vars map[string]bool) (how access) {
	if f.Def == nil {
		for name := range vars {
			if s.common.Across.Writers[name][f.Name] {
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
