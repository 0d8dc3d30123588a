package drivers

import (
	"slices"

	"modernc.org/cc/v4"
)

// prepared are the objects that calls before the one under test make and change, and the calls
// that change the state.
func (b *builder) prepared(params []param) (objects []object, state []preparation) {
	if !b.variant.calls() {
		objects = b.objectsBefore(params)
		return append(objects, b.argumentBefore(params)...), nil
	}
	objects, state = b.interfaceOf(b.fn, params, b.variant)
	objects = append(objects, b.arraysOf(params, func(param, cc.Type) bool { return true })...)
	objects = append(objects, b.argumentBefore(params)...)
	if b.variant == Failing {
		// Zeroed memory and calls hardly get to where a function allocates; what its
		// parameters may be does.
		objects = leaveOut(objects, func(o object) bool { return len(o.makers) == 0 && b.builds(o.elem) })
	}
	return objects, state
}

// leaveOut drops objects, and the calls for others that would be given them.
func leaveOut(objects []object, which func(object) bool) (out []object) {
	left := map[string]bool{}
	for _, o := range objects {
		left[o.param.name] = which(o)
	}
	given := func(p preparation) bool {
		for _, w := range p.with {
			if left[w.name] {
				return true
			}
		}
		return false
	}
	for _, o := range objects {
		if left[o.param.name] {
			continue
		}
		for _, list := range []*[]preparation{&o.makers, &o.operations, &o.inits, &o.setups} {
			*list = slices.DeleteFunc(slices.Clone(*list), given)
		}
		out = append(out, o)
	}
	return out
}
