package exec

import (
	"fmt"
	"slices"
	"sort"

	"klabel/engine/native/code"
)

// Ends of the program. A normal end runs what was registered with atexit, last
// one first, and then the destructors; labels count in all of them.

// handler is a function that runs at the end. The list is shared.
type handler struct {
	prev *handler
	fn   *code.Func
}

// end ends a state normally, silently by klee_silent_exit.
func (ex *Engine) end(st *State, silently bool) {
	if st.done {
		return
	}
	if _, side := st.role.(*subPath); !silently && !side && ex.handlers(st) {
		return
	}
	st.role.ended(ex, st, silently)
}

// exitAtOnce is _exit: nothing runs any more.
func exitAtOnce(ex *Engine, st *State, c *callContext) {
	st.exiting, st.atExit = true, nil
	ex.exit(st)
}

func atExit(ex *Engine, st *State, c *callContext) {
	v, ok := concreteValue(c.arg(0))
	fn := ex.p.FuncAt(v.Lo)
	if !ok || fn == nil {
		ex.unsupported(st, "atexit with a pointer to no known function")
		return
	}
	st.atExit = &handler{st.atExit, fn}
	c.set(ex, Value{})
}

// handlers makes the state go on with what runs at the end; false if there is
// nothing more.
func (ex *Engine) handlers(st *State) bool {
	var list []*code.Func
	for h := st.atExit; h != nil; h = h.prev {
		list = append(list, h.fn)
	}
	if !st.exiting {
		list = append(list, ex.last...)
	}
	st.exiting, st.atExit = true, nil
	var top *frame
	for _, fn := range slices.Backward(list) {
		if err := ex.p.Decode(fn); err != nil {
			ex.unsupported(st, err.Error())
			return true
		}
		depth := 0
		if top != nil {
			depth = top.depth + 1
		}
		top = &frame{owner: st.mem.Owner(), fn: fn, regs: make([]Value, fn.NumRegs), parent: top, depth: depth}
		ex.refers(fn)
	}
	if top == nil {
		return false
	}
	st.top = top
	return true
}

// destructors lists the program's destructors in the order in which they run:
// those of high priority first, and of one priority the last one first.
func (ex *Engine) destructors() ([]*code.Func, error) {
	type entry struct {
		priority uint64
		fn       *code.Func
	}
	var list []entry
	for _, m := range ex.p.Link.Modules {
		for _, g := range m.Globals {
			if g.Name != "llvm.global_dtors" || g.Init == nil {
				continue
			}
			for _, e := range g.Init.Elems {
				if len(e.Elems) < 2 {
					continue
				}
				vals, err := ex.p.Const(m, e.Elems[0])
				if err != nil {
					return nil, err
				}
				priority := vals[0].C
				if vals, err = ex.p.Const(m, e.Elems[1]); err != nil {
					return nil, err
				}
				fn := ex.p.FuncAt(vals[0].C)
				switch {
				case fn == nil:
					continue
				case fn.IR.Variadic || len(fn.IR.Params) != 0:
					return nil, fmt.Errorf("destructor %s takes arguments", fn.Name)
				}
				list = append(list, entry{priority, fn})
			}
		}
	}
	slices.Reverse(list)
	sort.SliceStable(list, func(a, b int) bool { return list[a].priority > list[b].priority })
	out := make([]*code.Func, len(list))
	for i, e := range list {
		out[i] = e.fn
	}
	return out, nil
}
