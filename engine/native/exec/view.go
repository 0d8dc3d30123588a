package exec

import (
	"sort"

	"klabel/engine/native/code"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
	"klabel/label"
)

type noObject = memory.Object

// labelNumbers finds the labels that a function's code names.
func labelNumbers(f *code.Func) []uint32 {
	var out []uint32
	for i := range f.Code {
		in := &f.Code[i]
		if in.Op != ir.Call {
			continue
		}
		s := in.X.(*code.CallSite)
		if s.Callee != nil && s.Callee.Name == "klabel_wants" && len(s.Regs) == 1 && s.Regs[0] < 0 {
			out = append(out, uint32(f.Consts[^s.Regs[0]].C))
		}
	}
	return out
}

// allLabels lists the labels of the whole program, code never reached
// included.
func (ex *Engine) allLabels() []uint32 {
	set := map[uint32]bool{}
	for id := range ex.grey.seen {
		set[id] = true
	}
	for _, f := range ex.programFuncs() {
		for _, id := range labelNumbers(f) {
			set[id] = true
		}
	}
	var out []uint32
	for id := range set {
		out = append(out, id)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// programFuncs decodes and lists the user's functions.
func (ex *Engine) programFuncs() []*code.Func {
	var out []*code.Func
	for _, m := range ex.p.Link.Modules {
		for _, f := range m.Funcs {
			if s := ex.p.Link.Lookup(m, f.Name); !f.Defined || s.Func != f {
				continue
			}
			cf := ex.p.FuncOf(f)
			if !cf.Library && ex.p.Decode(cf) == nil {
				out = append(out, cf)
			}
		}
	}
	return out
}

func (ex *Engine) status(id uint64) label.Status {
	if ex.labels == nil || id > uint64(label.MaxID) {
		return label.Unknown
	}
	return ex.labels.Status(uint32(id))
}

// coveredCall is covered(id): what is not open counts.
func coveredCall(ex *Engine, st *State, c *callContext) {
	v, ok := ex.concretise(st, c.arg(0), c.width(0), "the argument of covered")
	if !ok {
		return
	}
	r := uint64(0)
	if !ex.status(v.Lo).Open() {
		r = 1
	}
	c.set(ex, Value{C: r})
}

// pendingCall is pending(id).
func pendingCall(ex *Engine, st *State, c *callContext) {
	v, ok := ex.concretise(st, c.arg(0), c.width(0), "the argument of pending")
	if ok && ex.labels != nil && st.conc == nil {
		ex.labels.Claim(uint32(v.Lo))
	}
}

// viewCopy is klabel_view_copy(dst, from, n).
func viewCopy(ex *Engine, st *State, c *callContext) {
	from, ok := ex.concretise(st, c.arg(1), c.width(1), "the argument of klabel_view_copy")
	if !ok {
		return
	}
	n, ok := ex.concretise(st, c.arg(2), c.width(2), "the argument of klabel_view_copy")
	if !ok || int32(n.Lo) <= 0 {
		return
	}
	ex.resolve(st, c.arg(0), access{n: n.Lo, write: true}, func(st *State, o *memory.Object, off Value) {
		b := make([]byte, n.Lo)
		for i := range b {
			if s := ex.status(from.Lo + uint64(i)); !s.Open() {
				b[i] = byte(s)
			}
		}
		if off.E == nil {
			ex.writable(st, o).SetBytes(off.C, b)
		}
	})
}
