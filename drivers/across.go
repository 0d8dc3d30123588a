package drivers

import (
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Across is what functions of a program do that files see of each other by name alone.
type Across struct {
	// Writers are, by variables with external linkage, functions that set them and that other files can call. What two
	// units define is of two programs: nothing is said of it.
	Writers map[string]map[string]bool
	// Readers are, by pointer variables with external linkage, functions that other files can call and that read them
	// or call, in whatever file, one that does.
	Readers map[string]map[string]bool
	// Asks and Changes are, by variables of a file (its number and the name of a static one), functions that other
	// files can call and that read them, or may set them or what they lead to, themselves or by what they call.
	Asks, Changes map[string]map[string]bool
	// Allocating are functions that ask for memory, or may, and Streaming those that use streams.
	Allocating, Streaming map[string]bool
	// Views are, by fields that are untyped pointers (".data"), the structures that they are taken to lead to, as
	// recordName calls them.
	Views map[string]map[string]bool
}

// AcrossFiles finds it in the units of a program.
func AcrossFiles(units []*csource.Unit) Across {
	out := Across{Writers: map[string]map[string]bool{}, Readers: map[string]map[string]bool{},
		Asks: map[string]map[string]bool{}, Changes: map[string]map[string]bool{},
		Allocating: map[string]bool{}, Streaming: map[string]bool{}, Views: map[string]map[string]bool{}}
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
			r := an.reach(f)
			for _, d := range an.shared(f, writes) {
				note(out.Writers, d.Name(), f.Name)
			}
			for _, d := range an.shared(f, reads) {
				if d.Type().Kind() == cc.Ptr {
					note(out.Readers, d.Name(), f.Name)
				}
			}
			out.hide(i, an, f)
			out.view(an, r)
			pointers := slices.ContainsFunc(r.funcs, func(g *csource.Function) bool { return an.of(g.Name).indirect })
			out.Allocating[f.Name] = out.Allocating[f.Name] || pointers && memory || r.calls(isAllocator)
			out.Streaming[f.Name] = out.Streaming[f.Name] || pointers && streams || r.calls(onStreams)
			for _, d := range r.outside {
				callers[d.Name()] = append(callers[d.Name()], f.Name)
			}
		}
	}
	for _, of := range []map[string]map[string]bool{out.Readers, out.Asks, out.Changes} {
		for _, functions := range of {
			spread(functions, callers)
		}
	}
	for _, of := range []map[string]map[string]bool{out.Writers, out.Readers, out.Asks, out.Changes} {
		for _, functions := range of {
			maps.DeleteFunc(functions, func(f string, _ bool) bool { return twice[f] })
		}
	}
	spread(out.Allocating, callers)
	spread(out.Streaming, callers)
	return out
}

// view notes what functions take fields to lead to.
func (a *Across) view(an *analysis, r reach) {
	for _, f := range r.funcs {
		s := an.of(f.Name).sizes
		for name, first := range s.views {
			for _, t := range append([]cc.Type{first}, s.others[name]...) {
				if strings.HasPrefix(name, ".") && isRecord(t) && recordName(t) != "" {
					note(a.Views, name, recordName(t))
				}
			}
		}
	}
}

// viewsElsewhere are the structures that other files take a field to lead to; none where they are too many to be the
// same field's.
func (b *builder) viewsElsewhere(name string) (out []cc.Type) {
	_, n := b.nameOf(name)
	names := slices.Sorted(maps.Keys(b.common.Across.Views[n]))
	if !strings.HasPrefix(n, ".") || len(names) > 1+maxOthers || len(b.reach.outside) == 0 {
		return nil
	}
	for _, name := range names {
		if t := b.record(name); t != nil {
			out = append(out, t)
		}
	}
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

// note adds a function to those of a variable.
func note(of map[string]map[string]bool, variable, function string) {
	if of[variable] == nil {
		of[variable] = map[string]bool{}
	}
	of[variable][function] = true
}

// touches is what a function, or what it reaches, does to variables.
func (a *analysis) touches(f *csource.Function) map[string]access {
	out, ok := a.touched[f.Name]
	if !ok {
		out = map[string]access{}
		for _, g := range a.reach(f).funcs {
			for name, how := range a.of(g.Name).access {
				out[name] |= how
			}
		}
		a.touched[f.Name] = out
	}
	return out
}

// shared are the variables with external linkage that a function, or what it reaches, may read, or set.
func (a *analysis) shared(f *csource.Function, how access) (out []*cc.Declarator) {
	touches := a.touches(f)
	for _, d := range a.reach(f).outside {
		if !isFunction(d) && touches[d.Name()]&how != 0 && d.Linkage() == cc.External {
			out = append(out, d)
		}
	}
	return out
}

// readElsewhere are the pointer variables that the unit declares and that, of what is reached, only functions of other
// files read: left as they are, an error message through a stream that nobody opened ends every path.
func (s *shared) readElsewhere(r reach) (out []*cc.Declarator) {
	seen := map[string]bool{}
	for _, d := range r.outside {
		seen[d.Name()] = true
	}
	for _, name := range slices.Sorted(maps.Keys(s.common.Across.Readers)) {
		readers := s.common.Across.Readers[name]
		if seen[name] || !slices.ContainsFunc(r.outside, func(d *cc.Declarator) bool { return readers[d.Name()] }) {
			continue
		}
		for _, n := range s.unit.AST.Scope.Nodes[name] {
			d, ok := n.(*cc.Declarator)
			if ok && d.Type().Kind() == cc.Ptr && d.Linkage() == cc.External && !s.system(d) && s.an.changes(d) {
				out = append(out, d)
				break
			}
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
	touches := s.an.touches(f)
	for name := range vars {
		how |= touches[name]
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
