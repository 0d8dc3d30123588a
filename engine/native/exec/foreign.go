package exec

import "klabel/engine/native/ir"

// callUnknown goes on behind a function that the engine has no code for as if it had
// returned 0 and changed nothing. That is what advice to the system, locks and much that
// prints come to; a replay decides what became of it. Where a pointer is returned, or
// the function does not come back, the path ends.
//
// Nothing is claimed of the labels that the path leads to, and an error there is none of
// the program: what the call really does may prevent it.
func (ex *Engine) callUnknown(st *State, c *callContext) {
	why := "call of the unknown function " + c.fn.Name
	run, concrete := st.role.(*concreteRun)
	_, explored := st.role.(path)
	switch {
	case !ex.returnsNumbers(c), !explored && !concrete, concrete && run.asked != 0:
		ex.giveUp(st, "%s", why)
		return
	case concrete:
		run.doubt(why)
	default:
		st.assumed = why
		ex.partly(st, why)
		ex.warnOnce(why + ": as if it had returned 0 and changed nothing")
		ex.earlyTest(st, why)
	}
	for i := range c.site.RetTypes {
		c.setAt(i, Value{})
	}
}

// returnsNumbers reports whether a call comes back, and with no pointer.
func (ex *Engine) returnsNumbers(c *callContext) bool {
	for _, t := range c.site.RetTypes {
		if t.Kind == ir.Ptr {
			return false
		}
	}
	f := c.st.top
	return int(f.pc) >= len(f.fn.Code) || f.fn.Code[f.pc].Op != ir.Unreachable
}
