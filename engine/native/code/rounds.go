package code

import "klabel/engine/native/ir"

// What a path holds when it comes round a loop, so that it can be told whether another
// one has been there with the same. Of the registers, those that one block alone uses hold
// nothing any more; of the local variables, those that are written before they are read.

// rounds marks one way of each loop that all its rounds take, where there is one without
// a condition: the way back or, where that has one, those to where it is asked.
func (f *Func) rounds() {
	asks := map[int32]bool{}
	for pc := range f.Code {
		in, block := &f.Code[pc], f.BlockAt[pc]
		switch in.Op {
		case ir.Br:
			e := in.X.(*Edge)
			e.Round = e.Block <= block
		case ir.CondBr:
			for _, e := range in.X.([2]*Edge) {
				asks[block] = asks[block] || e.Block <= block
			}
		}
	}
	for pc := range f.Code {
		if in := &f.Code[pc]; in.Op == ir.Br {
			e := in.X.(*Edge)
			e.Round = e.Round || asks[e.Block]
		}
	}
}

// Held returns the registers whose values count at the beginning of a block: the first n,
// and more.
func (f *Func) Held(block int32) (n int, more []Phi) {
	return int(f.across), f.PhisOf(block)
}

// Idle returns the registers with the addresses of local variables that no path from the
// beginning of a block reads before it has written them as a whole.
func (f *Func) Idle(block int32) []int32 {
	if f.idle == nil {
		f.idle = f.idleVariables()
	}
	return f.idle[block]
}

// local variables of which nothing is known but to this function's loads and stores, and
// to what makes them inputs, by their names.
type private map[string]int32 // the registers with their addresses

func (f *Func) idleVariables() [][]int32 {
	vars := f.private()
	flow := f.Flow()
	reads := make([]map[string]bool, len(flow)) // before they write
	kills := make([]map[string]bool, len(flow))
	for i := range flow {
		reads[i], kills[i] = map[string]bool{}, map[string]bool{}
	}
	for pc, in := range f.Src {
		i := f.BlockAt[pc]
		for k, v := range in.Ops {
			name := wholeOf(f.uses.def, v)
			if _, ok := vars[name]; !ok || kills[i][name] {
				continue
			}
			switch size := f.uses.def[name].SrcType.Size(); {
			case in.Op == ir.Load:
				reads[i][name] = true
			case in.Op == ir.Store && k == 1:
				kills[i][name] = in.Ops[0].Type.StoreSize() >= size
			case asksInput(in, k):
				kills[i][name] = in.Ops[2].Kind == ir.IntConst && in.Ops[2].Lo >= size
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(flow) - 1; i >= 0; i-- {
			for _, s := range flow[i].Succ {
				for name := range reads[s] {
					if !kills[i][name] && !reads[i][name] {
						reads[i][name], changed = true, true
					}
				}
			}
		}
	}
	out := make([][]int32, len(flow))
	for i := range flow {
		for name, reg := range vars {
			if !reads[i][name] {
				out[i] = append(out[i], reg)
			}
		}
	}
	return out
}

// asksInput reports whether an instruction makes its k-th operand an input.
func asksInput(in *ir.Instr, k int) bool {
	return in.Op == ir.Call && k == 1 && in.Ops[0].Kind == ir.GlobalRef && in.Ops[0].Name == "klee_make_symbolic" &&
		len(in.Ops) > 2
}

// wholeOf is the local variable that an address is that of; "": none.
func wholeOf(def map[string]*ir.Instr, v *ir.Value) string {
	for v.Kind == ir.LocalRef {
		switch in := def[v.Name]; {
		case in == nil:
			return ""
		case in.Op == ir.Alloca:
			return v.Name
		case in.Op == ir.BitCast:
			v = in.Ops[0]
		default:
			return ""
		}
	}
	return ""
}

func (f *Func) private() private {
	f.decides()
	vars, known := private{}, map[string]bool{}
	for pc, in := range f.Src {
		if in.Op == ir.Alloca && f.BlockAt[pc] == 0 && f.Code[pc].Op == ir.Alloca && f.Code[pc].Dst < f.across {
			vars[in.Name] = f.Code[pc].Dst
		}
		for k, v := range in.Ops {
			load, store := in.Op == ir.Load && k == 0, in.Op == ir.Store && k == 1
			if !load && !store && in.Op != ir.BitCast && !asksInput(in, k) {
				known[wholeOf(f.uses.def, v)] = true
			}
		}
	}
	for name := range known {
		delete(vars, name)
	}
	return vars
}
