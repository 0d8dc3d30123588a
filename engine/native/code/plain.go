package code

import (
	"strings"

	"klabel/engine/native/ir"
)

// What a value decides says whether two numbers may become one expression. An
// index, the counter of a loop, the value of a switch and what other functions
// get, but for results of comparisons, are worth most as numbers; flags, sums and results are not.

// Plain reports of a store whether what it stores decides no address, loop, switch or
// call of this function, as far as the text tells.
func (f *Func) Plain(pc int32) bool {
	f.decides()
	in := f.Src[pc]
	if in.Op != ir.Store {
		return false
	}
	a := rootOf(f.uses.def, in.Ops[1])
	return a != "" && !f.uses.content[a]
}

// Result is what the text of a function does with the result of a call.
type Result struct {
	Plain    bool // it decides no address, loop, switch or call of the function
	Compared bool // it is asked only whether it is, or is not, some constant
	Zero     bool // only whether it is 0
}

// ResultOf tells of a call what becomes of its result.
func (f *Func) ResultOf(pc int32) Result {
	f.decides()
	name := f.Src[pc].Name
	r := Result{Plain: !f.uses.value[name], Compared: !f.uses.seen[name]}
	r.Compared = r.Compared && r.Plain
	r.Zero = r.Compared && !f.uses.beyond[name]
	return r
}

// watch notes who sees more of a value than whether it is a constant, or 0.
func (u *uses) watch(in *ir.Instr) {
	constant := func(v *ir.Value) bool { return v.Kind == ir.IntConst || v.Kind == ir.Null }
	for i, v := range in.Ops {
		if v.Kind != ir.LocalRef {
			continue
		}
		if in.Op != ir.ICmp || in.Pred != ir.EQ && in.Pred != ir.NE || !constant(in.Ops[1-i]) {
			u.seen[v.Name] = true
		} else if k := in.Ops[1-i]; k.Lo != 0 || k.Hi != 0 {
			u.beyond[v.Name] = true
		}
	}
}

// PhisOf returns the phis of a block.
func (f *Func) PhisOf(block int32) []Phi {
	f.decides()
	for i := range f.phis {
		if f.phis[i].Block == block {
			n := i
			for n < len(f.phis) && f.phis[n].Block == block {
				n++
			}
			return f.phis[i:n]
		}
	}
	return nil
}

// uses are the values, and the contents of local variables, that decide something.
type uses struct {
	def     map[string]*ir.Instr
	stores  map[string][]*ir.Value // by local variable
	value   map[string]bool
	content map[string]bool
	seen    map[string]bool // values that are more than compared with constants
	beyond  map[string]bool // compared with others than 0
}

// rootOf is the local variable that an address lies in, "" if that is not known.
func rootOf(def map[string]*ir.Instr, v *ir.Value) string {
	for v.Kind == ir.LocalRef {
		in := def[v.Name]
		switch {
		case in == nil:
			return ""
		case in.Op == ir.Alloca:
			return v.Name
		case in.Op == ir.GEP || in.Op == ir.BitCast:
			v = in.Ops[0]
		default:
			return ""
		}
	}
	return ""
}

// compares reports whether a value is the result of a comparison: what gets it, an assertion,
// sees no more of the numbers than a branch does.
func compares(def map[string]*ir.Instr, v *ir.Value) bool {
	in := def[v.Name]
	if v.Kind == ir.LocalRef && in != nil && in.Op == ir.ZExt {
		v = in.Ops[0]
		in = def[v.Name]
	}
	return v.Kind == ir.LocalRef && in != nil && (in.Op == ir.ICmp || in.Op == ir.FCmp)
}

// decides follows back what addresses, loops, switches and calls are computed from. The
// order of instructions does not count.
func (f *Func) decides() {
	if f.uses != nil {
		return
	}
	u := &uses{def: map[string]*ir.Instr{}, stores: map[string][]*ir.Value{}, value: map[string]bool{},
		content: map[string]bool{}, seen: map[string]bool{}, beyond: map[string]bool{}}
	f.uses = u
	blocks, err := f.IR.Blocks()
	if err != nil {
		return
	}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			if in.Name != "" {
				u.def[in.Name] = in
			}
		}
	}
	flow, joins := f.Flow(), f.Joins()
	var work []*ir.Value
	need := func(vs ...*ir.Value) { work = append(work, vs...) }
	for i, b := range blocks {
		for _, in := range b.Instrs {
			u.watch(in)
			switch in.Op {
			case ir.Load:
				need(in.Ops[0])
			case ir.Store:
				need(in.Ops[1])
				if a := rootOf(u.def, in.Ops[1]); a != "" {
					u.stores[a] = append(u.stores[a], in.Ops[0])
				}
				if a := rootOf(u.def, in.Ops[0]); a != "" {
					u.content[a] = true // its address is kept
				}
			case ir.CondBr:
				if i < len(flow) && loops(flow, joins, int32(i)) {
					need(in.Ops[0])
				}
			case ir.Call:
				if c := in.Ops[0]; c.Kind == ir.GlobalRef &&
					(strings.HasPrefix(c.Name, "llvm.dbg.") || c.Name == "klabel_label") {
					continue
				}
				for _, v := range in.Ops[1:] {
					if a := rootOf(u.def, v); a != "" {
						u.content[a] = true
					}
				}
				need(in.Ops[0])
				for _, v := range in.Ops[1:] {
					if !compares(u.def, v) {
						need(v)
					}
				}
			case ir.Switch, ir.IndirectBr, ir.Alloca, ir.CmpXchg, ir.AtomicRMW:
				need(in.Ops...)
			}
		}
	}
	for a := range u.content {
		need(u.stores[a]...)
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v.Kind != ir.LocalRef || u.value[v.Name] {
			continue
		}
		u.value[v.Name] = true
		in := u.def[v.Name]
		switch {
		case in == nil || in.Op == ir.Call || in.Op == ir.Alloca:
		case in.Op == ir.Load:
			if a := rootOf(u.def, in.Ops[0]); a != "" && !u.content[a] {
				u.content[a] = true
				need(u.stores[a]...)
			}
		default:
			need(in.Ops...)
		}
	}
	for i := range f.phis {
		f.phis[i].Plain = !u.value[f.phis[i].name]
	}
}
