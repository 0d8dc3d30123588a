package exec

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
)

// A machine that takes an event each time round its loop comes to the same states by ever
// more ways. A path that comes round a loop and holds what another one held there has
// nothing to find that the other does not find: it ends. What counts is the code that it
// stands in, what it holds in memory and registers, and what its constraints say of
// that. Labels that still wait for a normal end of the path must wait in the other one, too;
// nothing is claimed of them from then on.
//
// What the two share with the program's beginning is not looked at. A loop whose rounds
// are never the same is looked at less and less often.

const (
	roundsFirst  = 64      // looks in vain before a loop is looked at less often
	roundsPause  = 1 << 12 // the most rounds in a row that are not looked at
	roundsLong   = 1 << 18 // instructions without an input or a choice before a look all the same
	mostHeld     = 1 << 16 // bytes that a path may hold to be looked at
	mostRounds   = 1 << 20 // states that are remembered
	mostDeferred = 64      // labels that wait, of a path that is looked at
)

// rounds are the states in which paths came round loops.
type rounds struct {
	loops map[*code.Edge]*loopRounds
	seen  map[[16]byte][]uint32 // and the labels that waited
	buf   []byte
}

type loopRounds struct{ vain, pause, next int }

// comesRound is asked where a path has taken the way back of a loop. It reports whether the
// path is done.
func (ex *Engine) comesRound(st *State, e *code.Edge) bool {
	if _, is := st.role.(path); !is || !ex.o.Merge || !ex.o.Greybox || st.top.fn.Library {
		return false
	}
	if st.cons == st.rounds.cons && st.syms == st.rounds.syms && st.instrs-st.rounds.instrs < roundsLong {
		return false
	}
	st.rounds.cons, st.rounds.syms, st.rounds.instrs = st.cons, st.syms, st.instrs
	l := ex.rounds.loops[e]
	if l == nil {
		l = &loopRounds{}
		ex.rounds.loops[e] = l
	}
	if l.pause > 0 {
		l.pause--
		return false
	}
	if !ex.beenThere(st, e.Block) {
		if l.vain++; l.vain >= roundsFirst {
			l.next = min(max(2*l.next, 2), roundsPause)
			l.pause = l.next
		}
		return false
	}
	l.vain, l.next = 0, 0
	for d := st.deferred; d != nil; d = d.prev {
		if !ex.grey.claimed[d.id] && ex.wanted(d.id) {
			ex.grey.lost[d.id] = "its path came to where another one had been"
		}
	}
	ex.lived(st)
	st.done = true
	ex.stats.Completed++
	ex.stats.Rejoined++
	return true
}

// beenThere reports whether a path has been at a block with the same, and remembers that
// one has now.
func (ex *Engine) beenThere(st *State, block int32) bool {
	key, ok := ex.holds(st, block)
	if !ok {
		return false
	}
	var waiting []uint32
	for d := st.deferred; d != nil; d = d.prev {
		if !slices.Contains(waiting, d.id) && ex.wanted(d.id) {
			if waiting = append(waiting, d.id); len(waiting) > mostDeferred {
				return false
			}
		}
	}
	before, been := ex.rounds.seen[key]
	missing := slices.ContainsFunc(waiting, func(id uint32) bool { return !slices.Contains(before, id) })
	if been && !missing {
		return true
	}
	if len(ex.rounds.seen) >= mostRounds {
		clear(ex.rounds.seen)
	}
	for _, id := range waiting {
		if !slices.Contains(before, id) {
			before = append(before, id)
		}
	}
	ex.rounds.seen[key] = before
	return false
}

// holds sums up all that what a path does from the beginning of a block on depends on;
// false where that cannot be said.
func (ex *Engine) holds(st *State, block int32) (key [16]byte, ok bool) {
	if st.jumps != nil || st.atExit != nil || st.exiting || st.fresh != nil || st.assumed != "" || st.again {
		return key, false
	}
	h := held{ex: ex, st: st, buf: ex.rounds.buf[:0]}
	idle := map[uint64]bool{}
	for _, r := range st.top.fn.Idle(block) {
		if v := st.top.regs[r]; v.E == nil {
			idle[v.C] = true
		}
	}
	h.number(uint64(block))
	if st.errno {
		h.number(1)
	}
	for f := st.top; f != nil; f = f.parent {
		if f.handler || len(f.va) > 0 {
			return key, false
		}
		h.frame(f, block)
	}
	ok = st.mem.Differs(ex.p.Space, func(now, then *memory.Object) bool {
		if now == nil {
			h.number(then.Base)
			h.number(^uint64(0))
			return true
		}
		if now.Kind == memory.Stack && idle[now.Base] {
			return true
		}
		if now.Size > mostHeld && (then == nil || then.Info != now.Info) {
			return false // a large block would be written down byte by byte
		}
		at := len(h.buf)
		h.number(now.Base)
		h.number(now.Size)
		start := len(h.buf)
		h.buf = now.AppendContent(h.buf, then, h.cell)
		if then != nil && len(h.buf) == start {
			h.buf = h.buf[:at]
		}
		return len(h.buf) < mostHeld
	})
	if !ok {
		return key, false
	}
	h.constraints()
	ex.rounds.buf = h.buf
	sum := sha256.Sum256(h.buf)
	return [16]byte(sum[:]), true
}

// held writes down what a path holds.
type held struct {
	ex     *Engine
	st     *State
	buf    []byte
	groups []*expr.Group // of constraints that say something of it
	last   *expr.Expr    // simplified last
	simple *expr.Expr
}

func (h *held) number(n uint64) { h.buf = binary.LittleEndian.AppendUint64(h.buf, n) }

func (h *held) frame(f *frame, block int32) {
	h.number(uint64(f.fn.Index))
	regs := f.regs
	if f == h.st.top {
		n, more := f.fn.Held(block)
		regs = f.regs[:n]
		for _, p := range more {
			for i := range p.Type.Leaves() {
				h.value(f.regs[int(p.Reg)+i])
			}
		}
	} else {
		h.number(uint64(f.pc))
	}
	for _, v := range regs {
		h.value(v)
	}
	h.number(uint64(len(f.stack)))
	for _, a := range f.stack {
		h.number(a)
	}
}

func (h *held) value(v Value) {
	if v.E == nil {
		h.number(0)
		h.number(v.C)
		return
	}
	switch e := h.simplify(v.E); {
	case !e.IsConst():
		h.number(e.ID()<<1 | 1)
	case e.Value().Hi != 0:
		h.number(2)
		h.number(e.Value().Hi)
		h.number(e.Value().Lo)
	default: // as a number that was none of an expression
		h.number(0)
		h.number(e.Value().Lo)
	}
}

// cell says what a symbolic byte is.
func (h *held) cell(c memory.Cell) (b byte, id uint64) {
	e := h.simplify(c.E)
	if !e.IsConst() {
		return 0, e.ID() + 1
	}
	v := e.Value()
	if c.K < 8 {
		return byte(v.Lo >> (8 * c.K)), 0
	}
	return byte(v.Hi >> (8 * (c.K - 8))), 0
}

// simplify is e by what the constraints fix; constraints on what is left of it count.
func (h *held) simplify(e *expr.Expr) *expr.Expr {
	if e == h.last {
		return h.simple
	}
	h.last, h.simple = e, h.st.cons.Simplify(h.ex.b, e)
	for _, g := range h.st.cons.Relevant(h.simple.Vars()) {
		if !slices.Contains(h.groups, g) {
			h.groups = append(h.groups, g)
		}
	}
	return h.simple
}

// constraints writes down what is known of what is held, in an order of its own.
func (h *held) constraints() {
	var ids []uint64
	for _, g := range h.groups {
		g.Each(func(e *expr.Expr) { ids = append(ids, e.ID()) })
	}
	slices.Sort(ids)
	for _, id := range ids {
		h.number(id)
	}
}
