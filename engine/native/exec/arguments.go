package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/ir"
)

// otherArguments notes that natively a program can be started with other
// arguments than those that it is explored with, if it looks at them.
func (ex *Engine) otherArguments() {
	if main := ex.p.Lookup("main"); main != nil && usesParameters(main) {
		ex.incomplete("other arguments than those given were not tried")
	}
}

// usesParameters reports whether a function's code asks for what it was given:
// where clang does not optimise, each parameter is kept in a variable first.
func usesParameters(fn *code.Func) bool {
	blocks, err := fn.IR.Blocks()
	if err != nil {
		return true
	}
	watched := map[string]bool{}
	for _, p := range fn.IR.Params {
		watched[p.Name] = true
	}
	is := func(v *ir.Value) bool { return v.Kind == ir.LocalRef && watched[v.Name] }
	kept := map[*ir.Instr]bool{}
	for _, in := range blocks[0].Instrs {
		if in.Op == ir.Store && is(in.Ops[0]) && in.Ops[1].Kind == ir.LocalRef && !is(in.Ops[1]) {
			kept[in] = true
		}
	}
	for in := range kept {
		watched[in.Ops[1].Name] = true
	}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			for _, v := range in.Ops {
				if is(v) && !kept[in] {
					return true
				}
			}
		}
	}
	return false
}
