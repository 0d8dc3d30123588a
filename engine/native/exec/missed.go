package exec

import "klabel/engine/native/code"

// What an exploration misses from some state on is what that state leads to: the
// labels that its functions, and what they call, can still come to. All others
// are as if nothing was missed.

// missed are the labels that some path might have covered which was not followed
// to its end.
type missed struct {
	all    bool // not known which
	labels map[uint32]bool
	seen   map[*code.Func][]bool // blocks
}

// partly notes that something of a state's future is not explored.
func (ex *Engine) partly(st *State, why string) {
	ex.whys[why] = true
	ex.miss(st)
}

// miss notes the labels that a state leads to.
func (ex *Engine) miss(st *State) {
	m := ex.startMissed()
	for d := st.deferred; d != nil; d = d.prev {
		m.labels[d.id] = true
	}
	for f := st.top; f != nil; f = f.parent {
		ex.leadsTo(f.fn, f.pc)
	}
	for j := st.jumps; j != nil; j = j.prev {
		ex.leadsTo(j.fn, j.pc)
	}
	for h := st.atExit; h != nil; h = h.prev {
		ex.leadsTo(h.fn, 0)
	}
	for _, f := range ex.last {
		ex.leadsTo(f, 0)
	}
}

func (ex *Engine) startMissed() *missed {
	m := &ex.missed
	if m.labels == nil {
		m.labels, m.seen = map[uint32]bool{}, map[*code.Func][]bool{}
	}
	return m
}

// leadsTo notes the labels that can be come to from a place in a function: from its
// block on.
func (ex *Engine) leadsTo(fn *code.Func, pc int32) {
	m := &ex.missed
	if m.all = m.all || ex.p.Decode(fn) != nil; m.all {
		return
	}
	flow := fn.Flow()
	if m.seen[fn] == nil {
		m.seen[fn] = make([]bool, len(flow))
	}
	var work []int32
	for _, i := range [2]int32{pc - 1, pc} { // the instruction that runs, or that a jump has come to
		if i >= 0 && int(i) < len(fn.BlockAt) {
			work = append(work, fn.BlockAt[i])
		}
	}
	for len(work) > 0 && !m.all {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if int(i) >= len(flow) || m.seen[fn][i] {
			continue
		}
		m.seen[fn][i] = true
		m.all = flow[i].Indirect
		for _, c := range flow[i].Calls {
			ex.callLeadsTo(c)
		}
		work = append(work, flow[i].Succ...)
	}
}

// callLeadsTo is leadsTo for what a call may run: where nobody knows that, it may
// call back anything.
func (ex *Engine) callLeadsTo(c code.NamedCall) {
	m := &ex.missed
	id, isLabel := labelOf(c)
	switch {
	case isLabel:
		m.labels[id] = true
	case c.Callee.Name == "klabel_wants", c.Callee.Name == "atexit":
		m.all = true
	case c.Callee.IR.Defined:
		if len(m.seen[c.Callee]) == 0 || !m.seen[c.Callee][0] {
			ex.leadsTo(c.Callee, 0)
		}
	default:
		if known, _ := modelFor(c.Callee); known == nil {
			m.all = true
		}
	}
}
