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
	st.role.ended(ex, st, silently || st.silent)
}

// mainEnd is klabel_main_end: main returns, in a mode in which no path has a test of
// its own.
func mainEnd(ex *Engine, st *State, c *callContext) {
	st.silent = true
	ex.exit(st)
}

// exitAtOnce is _exit: nothing runs any more.
func exitAtOnce(ex *Engine, st *State, c *callContext) {
	if !st.done {
		st.role.ended(ex, st, false)
	}
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

// handlers makes the state go on with what runs at the end: what was registered
// since, last one first, and then what is left of before, also where a handler ends
// by exit; false if there is nothing more.
func (ex *Engine) handlers(st *State) bool {
	var list []*code.Func
	for h := st.atExit; h != nil; h = h.prev {
		list = append(list, h.fn)
	}
	var top *frame
	if !st.exiting {
		list = append(list, ex.last...)
	} else {
		for top = st.top; top != nil && !top.handler; {
			top = top.parent
		}
		if top != nil {
			top = top.parent
		}
	}
	st.exiting, st.atExit = true, nil
	for _, fn := range slices.Backward(list) {
		if err := ex.p.Decode(fn); err != nil {
			ex.unsupported(st, err.Error())
			return true
		}
		depth := 0
		if top != nil {
			depth = top.depth + 1
		}
		top = &frame{owner: st.mem.Owner(), fn: fn, regs: make([]Value, fn.NumRegs), parent: top, depth: depth,
			handler: true}
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
	list, err := ex.listed("llvm.global_dtors", "destructor")
	slices.Reverse(list)
	return list, err
}

// listed are the functions of one of LLVM's lists, by priority, and of one priority as
// they stand there.
func (ex *Engine) listed(list, what string) ([]*code.Func, error) {
	type entry struct {
		priority uint64
		fn       *code.Func
	}
	var entries []entry
	for _, m := range ex.p.Link.Modules {
		for _, g := range m.Globals {
			if g.Name != list || g.Init == nil {
				continue
			}
			for _, e := range g.Init.Elems {
				if len(e.Elems) < 2 {
					continue
				}
				priority, err := ex.p.Const(m, e.Elems[0])
				if err != nil {
					return nil, err
				}
				at, err := ex.p.Const(m, e.Elems[1])
				if err != nil {
					return nil, err
				}
				fn := ex.p.FuncAt(at[0].C)
				switch {
				case fn == nil:
					continue
				case fn.IR.Variadic || len(fn.IR.Params) != 0:
					return nil, fmt.Errorf("%s %s takes arguments", what, fn.Name)
				}
				entries = append(entries, entry{priority[0].C, fn})
			}
		}
	}
	sort.SliceStable(entries, func(a, b int) bool { return entries[a].priority < entries[b].priority })
	out := make([]*code.Func, len(entries))
	for i, e := range entries {
		out[i] = e.fn
	}
	return out, nil
}
