package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// reach is what a call of some functions may come by, as far as the unit tells.
type reach struct {
	funcs   []*csource.Function // the functions, those that they mention, and so on
	outside []*cc.Declarator    // variables, and functions that the unit does not define
}

// isName reports whether an expression is the name of a variable.
func isName(x cc.ExpressionNode) bool {
	p, ok := csource.Unparen(x).(*cc.PrimaryExpression)
	return ok && p.Case == cc.PrimaryExpressionIdent
}

// mayChange reports whether a call of a function may leave what it is given other than
// it was: it, or one that it calls, stores something, or the unit does not say.
func (a *analysis) mayChange(fn *csource.Function) bool {
	if fn.Def == nil {
		return true
	}
	changes, known := a.mutates[fn.Name]
	if !known { // every entry asks it of all that could be called before
		r := a.reach(fn)
		changes = len(r.outside) > 0 || slices.ContainsFunc(r.funcs, func(f *csource.Function) bool {
			facts := a.of(f.Name)
			return facts.stores || facts.indirect || facts.assembly
		})
		a.mutates[fn.Name] = changes
	}
	return changes
}

// reach follows every mention of a name, through the initial values of
// variables too: tables of functions are called through. That of one function is
// remembered: every entry asks what each of the unit's functions does.
func (a *analysis) reach(roots ...*csource.Function) reach {
	if len(roots) != 1 {
		return a.reachFrom(roots)
	}
	name := roots[0].Name
	out, ok := a.reaches[name]
	if !ok {
		out = a.reachFrom(roots)
		out.funcs, out.outside = slices.Clip(out.funcs), slices.Clip(out.outside)
		a.reaches[name] = out
	}
	return out
}

func (a *analysis) reachFrom(roots []*csource.Function) reach {
	var out reach
	var queue []string
	seen := map[string]bool{}
	add := func(name string, d *cc.Declarator) {
		if seen[name] {
			return
		}
		seen[name] = true
		if f := a.funcs[name]; f != nil {
			out.funcs = append(out.funcs, f)
		} else if d != nil {
			out.outside = append(out.outside, d)
		}
		queue = append(queue, name)
	}
	for _, f := range roots {
		add(f.Name, nil)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if f := a.of(queue[0]); f != nil {
			for _, d := range f.names {
				add(d.Name(), d)
			}
		}
	}
	return out
}

// rest is what the other functions of the unit, and the initial values of its
// variables, mention beyond what is reached.
func (a *analysis) rest(near reach) []*cc.Declarator {
	seen := map[string]bool{}
	for _, d := range near.outside {
		seen[d.Name()] = true
	}
	var own []*csource.Function
	for _, f := range a.unit.Functions() {
		if !f.Origin.System {
			own = append(own, f)
		}
	}
	var out []*cc.Declarator
	all := a.reach(own...).outside
	var variables []string
	for name := range a.initial {
		variables = append(variables, name)
	}
	slices.Sort(variables)
	for _, name := range variables {
		all = append(all, a.of(name).names...)
	}
	for _, d := range all {
		if a.funcs[d.Name()] == nil && !seen[d.Name()] {
			seen[d.Name()] = true
			out = append(out, d)
		}
	}
	return out
}

// fieldsOf lists the names of the fields that functions mention. A field that
// none of them names is read by nobody: building what it points to would
// multiply the paths of the driver for nothing. The result is nil where that
// cannot be told: when a function of another file is called, or bytes of a
// structure are read by other means than their names.
func (a *analysis) fieldsOf(r reach, elsewhere map[string]bool) map[string]bool {
	fields := map[string]bool{}
	for _, d := range r.outside {
		if elsewhere[d.Name()] {
			return nil
		}
	}
	for _, f := range r.funcs {
		facts := a.of(f.Name)
		if facts.bytes {
			return nil
		}
		for name := range facts.fields {
			fields[name] = true
		}
	}
	return fields
}

// changes reports whether a variable may get another value than its first:
// some function of the unit writes it, or lets others do so, or another file
// may.
func (a *analysis) changes(d *cc.Declarator) bool {
	if a.constant(d) {
		return false
	}
	if d.Linkage() != cc.Internal {
		return true
	}
	if a.changed == nil {
		a.changed = map[string]bool{}
		a.each(func(f *facts) {
			for name, how := range f.access {
				if how&writes != 0 {
					a.changed[name] = true
				}
			}
		})
	}
	return a.changed[d.Name()]
}
