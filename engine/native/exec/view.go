package exec

import (
	"maps"
	"slices"

	"klabel/engine/native/code"
	"klabel/engine/native/memory"
	"klabel/label"
)

// labelOf returns the label that a call asks for.
func labelOf(c code.NamedCall) (id uint32, ok bool) {
	return uint32(c.Arg), c.Const && c.Callee.Name == "klabel_wants"
}

// labelNumbers finds the labels that a function's code names.
func labelNumbers(f *code.Func) []uint32 {
	var out []uint32
	for _, b := range f.Flow() {
		for _, c := range b.Calls {
			if id, ok := labelOf(c); ok {
				out = append(out, id)
			}
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
	for _, id := range ex.p.Labels() {
		set[id] = true
	}
	return slices.Sorted(maps.Keys(set))
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
	if ok && ex.labels != nil && st.role.explores() {
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
