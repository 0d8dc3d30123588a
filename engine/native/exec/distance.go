package exec

import "klabel/engine/native/code"

// Distances to labels that are still wanted: in blocks, over the control flow
// graph and into calls. They are computed for the whole program at once and
// again when enough labels were resolved; a state's distance adds what its
// callers lead to.

const far = int32(1 << 20)

type distances struct {
	block   [][]int32 // by the functions' numbers
	funcs   []*code.Func
	wanted  int
	version uint32 // of block
}

// near is a distance of a state that holds until the state runs, or distances change.
type near struct {
	version uint32 // of the distances; 0: none
	dist    int32
}

// labelOrder prefers the states that are closest to a wanted label.
func (ex *Engine) labelOrder() order {
	var d *distances
	uses := 0
	return func(s *states) *State {
		if len(s.list) == 1 {
			return s.list[0]
		}
		if d == nil || uses%64 == 0 {
			if d == nil {
				d = &distances{funcs: ex.reachable()}
			}
			if n := ex.countWanted(d.funcs); d.version == 0 || n != d.wanted {
				d.wanted = n
				ex.computeDistances(d)
			}
		}
		uses++
		if d.wanted == 0 {
			return s.path()
		}
		return s.best(func(st *State) float64 {
			return -float64(d.near(st)) - ex.doomCost(st) - float64(st.instrs-st.newCover)/1e6 - ex.rng.Float64()*2
		})
	}
}

// reachable lists the user's functions that calls lead to from where the
// exploration starts: where one of these calls through a pointer, those too whose
// addresses are values somewhere in the program's variables or in what is reached.
func (ex *Engine) reachable() []*code.Func {
	set := map[*code.Func]bool{}
	var list []*code.Func
	add := func(f *code.Func) {
		if f.IR.Defined && !f.Library && !set[f] && ex.p.Decode(f) == nil { // a destructor may not be known yet
			set[f] = true
			list = append(list, f)
		}
	}
	for _, f := range ex.starts {
		add(f)
	}
	indirect, pointed := false, 0
	for i := 0; i < len(list); i++ {
		for _, b := range list[i].Flow() {
			indirect = indirect || b.Indirect
			for _, c := range b.Calls {
				add(c.Callee)
			}
		}
		for ; indirect && i == len(list)-1 && pointed < len(ex.p.Pointed()); pointed++ {
			add(ex.p.Pointed()[pointed])
		}
	}
	return list
}

func (ex *Engine) countWanted(funcs []*code.Func) int {
	n := 0
	for _, f := range funcs {
		for _, id := range labelNumbers(f) {
			if ex.wanted(id) {
				n++
			}
		}
	}
	return n
}

// near is of, computed once while it holds: a choice looks at many states that have not
// run since the last one.
func (d *distances) near(st *State) int32 {
	if st.near.version != d.version {
		st.near = near{d.version, d.of(st)}
	}
	return st.near.dist
}

// blocks are the distances of a function's blocks, nil where nobody asked for them.
func (d *distances) blocks(f *code.Func) []int32 {
	if f.Index < len(d.block) { // functions that were not known then are not the user's
		return d.block[f.Index]
	}
	return nil
}

// of is the distance of a state: from its block, or from where its callers go
// on.
func (d *distances) of(st *State) int32 {
	best, up := far, int32(0)
	for f := st.top; f != nil; f = f.parent {
		if b := d.blocks(f.fn); b != nil {
			i := max(0, int(f.pc)-1)
			if i < len(f.fn.BlockAt) {
				best = min(best, b[f.fn.BlockAt[i]]+up)
			}
		}
		up += 4
	}
	return best
}

// computeDistances iterates to the least solution.
func (ex *Engine) computeDistances(d *distances) {
	d.version++
	d.block = make([][]int32, len(ex.p.Funcs))
	for _, f := range d.funcs {
		dist := make([]int32, len(f.Starts))
		for i, b := range f.Flow() {
			dist[i] = far
			for _, c := range b.Calls {
				if id, ok := labelOf(c); ok && ex.wanted(id) {
					dist[i] = 0
				}
			}
		}
		d.block[f.Index] = dist
	}
	for changed, round := true, 0; changed && round < 200; round++ {
		changed = false
		for _, f := range d.funcs {
			dist, flow := d.block[f.Index], f.Flow()
			for i := len(dist) - 1; i >= 0; i-- {
				v := dist[i]
				for _, s := range flow[i].Succ {
					v = min(v, dist[s]+1)
				}
				for _, c := range flow[i].Calls {
					if cd := d.blocks(c.Callee); len(cd) > 0 {
						v = min(v, cd[0]+2)
					}
				}
				if v < dist[i] {
					dist[i], changed = v, true
				}
			}
		}
	}
}
