package exec

import (
	"fmt"
	"slices"

	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
)

// posixMain is the entry of a program with symbolic arguments or input.
const posixMain = "klabel_posix_main"

// initial makes the state at the beginning of the entry.
func (ex *Engine) initial(r role) (*State, error) {
	entry := ex.o.Entry
	if entry == "" {
		entry = "main"
	}
	mainFn := ex.p.Lookup(entry)
	if mainFn == nil {
		return nil, fmt.Errorf("the program has no %s function", entry)
	}
	if err := ex.p.Decode(mainFn); err != nil {
		return nil, err
	}
	st := &State{mem: ex.p.Space.Fork(), cons: &expr.Constraints{}, index: -1, role: r}
	if r.explores() {
		ex.nextID++
		st.ID = ex.nextID
	}
	ex.found, ex.cached = [cacheSize]*memory.Object{}, nil
	f := &frame{owner: st.mem.Owner(), fn: mainFn, regs: make([]Value, mainFn.NumRegs)}
	st.top = f
	ex.starts = append(ex.starts[:0], mainFn)
	ex.refers(mainFn)
	argc, argv, envp := ex.arguments0(st)
	for i, v := range []Value{argc, argv, envp} {
		if i < mainFn.NumParam {
			f.regs[i] = v
			if w := mainFn.Params[i].Width(); w < 64 && v.E == nil {
				f.regs[i].C &= 1<<w - 1
			}
		}
	}
	if r.explores() {
		mainFn.Covered[0], st.coversNew = true, true
		if entry == "main" || entry == posixMain {
			ex.otherArguments()
		}
	}
	ex.begins(st, mainFn)
	if err := ex.constructors(st); err != nil {
		return nil, err
	}
	last, err := ex.destructors()
	if err != nil {
		return nil, err
	}
	ex.last = last
	ex.starts = append(ex.starts, last...)
	return st, nil
}

// constructors makes main be entered from the program's constructors: the last
// one called first returns into the next, as frames on the stack.
func (ex *Engine) constructors(st *State) error {
	list, err := ex.listed("llvm.global_ctors", "constructor")
	if err != nil {
		return err
	}
	for _, fn := range slices.Backward(list) {
		if err := ex.p.Decode(fn); err != nil {
			return err
		}
		ex.starts = append(ex.starts, fn)
		ex.refers(fn)
		ex.begins(st, fn)
		st.top = &frame{owner: st.mem.Owner(), fn: fn, regs: make([]Value, fn.NumRegs), parent: st.top,
			depth: st.top.depth + 1}
	}
	return nil
}

// arguments0 builds argc, argv and envp.
func (ex *Engine) arguments0(st *State) (argc, argv, envp Value) {
	args := ex.o.Args
	if len(args) == 0 {
		args = []string{"program"}
	}
	var ptrs []uint64
	for i, a := range args {
		o := st.mem.Alloc(uint64(len(a)+1), memory.Global, fmt.Sprintf("argv[%d]", i))
		o.SetBytes(0, []byte(a))
		ptrs = append(ptrs, o.Base)
	}
	count := Value{C: uint64(len(ptrs))}
	n := ex.addressSize()
	table := st.mem.Alloc(uint64(n*(len(ptrs)+2)), memory.Global, "argv")
	for i, p := range ptrs {
		table.SetUint(uint64(n*i), n, p)
	}
	return count, Value{C: table.Base}, Value{C: table.Base + uint64(n*(len(ptrs)+1))}
}
