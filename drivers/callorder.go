package drivers

import (
	"fmt"
	"slices"
	"strings"

	"klabel/input"
)

// In which order the functions of the program's are called before the one under test.

// prepare writes the calls before the one under test: those that make objects,
// then steps that change them, or the state. All that is chosen is chosen
// before the first call.
func (b *builder) prepare(desc *input.Driver, objects []object, state []preparation) error {
	calls := newBlock(false)
	calls.indent = b.cur.indent
	limit := b.variant.bounds()
	late := map[string]bool{} // what there is to find only when others have been filled
	for i := range objects {
		o := &objects[i]
		if late[o.param.name] = limit.steps > 0 && b.gotten(*o); late[o.param.name] {
			continue
		}
		if err := b.begin(desc, calls, o); err != nil {
			return err
		}
	}
	sets, err := b.setters(objects)
	if err != nil {
		return err
	}
	choices := inTurn(objects)
	choices = choices[:min(len(choices), limit.operations)]
	// However many there are, some of the state's stay: no object has what these leave.
	for i, p := range state {
		if len(choices) < limit.operations || i < max(1, limit.operations/4) {
			choices = append(choices, choice{p, nil})
		}
	}
	if b.variant == Sequences {
		if err := b.many(desc, calls, objects, state); err != nil {
			return err
		}
	}
	var setups []choice
	for i := range objects {
		for _, p := range objects[i].setups {
			setups = append(setups, choice{p, &objects[i]})
		}
	}
	for i := 1; i <= limit.steps; i++ {
		now := choices
		if i <= limit.steps/2 {
			now = withoutThose(choices, late)
		}
		for k := range objects {
			if o := &objects[k]; i == limit.steps/2+1 && late[o.param.name] {
				if err := b.begin(desc, calls, o); err != nil {
					return err
				}
			}
		}
		if i == limit.steps/2+1 && len(setups) > 0 {
			if err := b.step(desc, calls, "set up", setups, nil, ""); err != nil {
				return err
			}
		}
		if len(now) == 0 {
			continue
		}
		if i%2 == 0 {
			if err := sets(desc, calls, fmt.Sprintf(":set %d", i/2)); err != nil {
				return err
			}
		}
		if err := b.step(desc, calls, fmt.Sprintf("call %d", i), now, nil, ""); err != nil {
			return err
		}
		b.narrow("%d calls before it", limit.steps)
	}
	if err := sets(desc, calls, ":set"); err != nil {
		return err
	}
	b.cur.decls.WriteString(calls.decls.String())
	b.late = append(b.late, func() { b.cur.body.WriteString(calls.body.String()) })
	return nil
}

// begin writes the steps that make an object, and begin it where the caller has its memory.
func (b *builder) begin(desc *input.Driver, calls *block, o *object) error {
	var choices []choice
	for _, m := range o.makers {
		choices = append(choices, choice{m, o})
	}
	zeroed := ""
	if len(o.makers) == 0 && !o.param.held {
		decl, err := b.ts.declare(o.elem, "", true)
		if err != nil {
			return b.fail(o.param.name, err)
		}
		zeroed = "calloc(1, sizeof(" + strings.TrimSpace(decl) + "))"
	}
	if !o.param.held {
		if err := b.step(desc, calls, o.param.name+":made", choices, o, zeroed); err != nil {
			return err
		}
	}
	var names []string
	for _, m := range o.makers {
		names = append(names, m.fn.Name)
	}
	if zeroed != "" {
		names = append(names, "calloc")
	}
	if o.param.held {
		for _, p := range slices.Concat(o.inits, o.setups) {
			names = append(names, p.fn.Name)
		}
	}
	b.narrow("%s made by %s", o.param.name, strings.Join(names, ", "))
	if len(o.inits) == 0 {
		return nil
	}
	choices = nil
	for _, p := range o.inits {
		choices = append(choices, choice{p, o})
	}
	return b.step(desc, calls, o.param.name+":begun", choices, nil, "")
}

// withoutThose are the choices that need none of some objects.
func withoutThose(choices []choice, names map[string]bool) (out []choice) {
	for _, c := range choices {
		needs := c.of != nil && names[c.of.param.name]
		for _, w := range c.with {
			needs = needs || names[w.name]
		}
		if !needs {
			out = append(out, c)
		}
	}
	return out
}

// roomForPointer is what a call before the one under test is given to put a pointer into: an old
// value, the end of what was read. What it held before is nothing to fork for.
const roomForPointer = "(void *)(void *[4]){0}"

// choice is a function to call for an object, or for the state.
type choice struct {
	preparation
	of *object
}

// inTurn are the operations on objects: the best one of each, then the next. What takes two of them
// is an operation on both, and one choice.
func inTurn(objects []object) (out []choice) {
	both := map[string]bool{}
	for at, more := 0, true; more; at++ {
		more = false
		for i := range objects {
			o := &objects[i]
			if at >= len(o.operations) {
				continue
			}
			more = true
			if p := o.operations[at]; len(p.with) == 0 || !both[p.fn.Name] {
				out = append(out, choice{p, o})
				both[p.fn.Name] = true
			}
		}
	}
	return out
}
