package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/ir"
)

// Distances to labels that are still wanted: in blocks, over the control flow
// graph and into calls. They are computed for the whole program at once and
// again when enough labels were resolved; a state's distance adds what its
// callers lead to.

const far = int32(1 << 20)

type distances struct {
	block  map[*code.Func][]int32
	funcs  []*code.Func
	wanted int
}

// labelOrder prefers the states that are closest to a wanted label.
func (ex *Engine) labelOrder() order {
	var d *distances
	uses := 0
	return func(s *states) *State {
		if d == nil || uses%64 == 0 {
			if n := ex.countWanted(); d == nil || n != d.wanted {
				d = ex.computeDistances()
				d.wanted = n
			}
		}
		uses++
		if d.wanted == 0 {
			return s.path()
		}
		return s.best(func(st *State) float64 {
			return -float64(d.of(st)) - float64(st.instrs-st.newCover)/1e6 - ex.rng.Float64()*2
		})
	}
}

func (ex *Engine) countWanted() int {
	n := 0
	for _, f := range ex.programFuncs() {
		for _, id := range labelNumbers(f) {
			if ex.wanted(id) {
				n++
			}
		}
	}
	return n
}

// of is the distance of a state: from its block, or from where its callers go
// on.
func (d *distances) of(st *State) int32 {
	best, up := far, int32(0)
	for f := st.top; f != nil; f = f.parent {
		if b := d.block[f.fn]; b != nil {
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
func (ex *Engine) computeDistances() *distances {
	d := &distances{block: map[*code.Func][]int32{}, funcs: ex.programFuncs()}
	type node struct {
		succ  []int32
		calls []*code.Func
		own   int32
	}
	graph := map[*code.Func][]node{}
	for _, f := range d.funcs {
		nodes := make([]node, len(f.Starts))
		dist := make([]int32, len(f.Starts))
		for i := range nodes {
			nodes[i].own, dist[i] = far, far
		}
		for pc := range f.Code {
			in, n := &f.Code[pc], &nodes[f.BlockAt[pc]]
			switch in.Op {
			case ir.Br:
				n.succ = append(n.succ, in.X.(*code.Edge).Block)
			case ir.CondBr:
				e := in.X.([2]*code.Edge)
				n.succ = append(n.succ, e[0].Block, e[1].Block)
			case ir.Switch:
				t := in.X.(*code.SwitchTable)
				n.succ = append(n.succ, t.Default.Block)
				for i := range t.Edges {
					n.succ = append(n.succ, t.Edges[i].Block)
				}
			case ir.Call:
				s := in.X.(*code.CallSite)
				if s.Callee == nil {
					break
				}
				if s.Callee.Name == "klabel_wants" && len(s.Regs) == 1 && s.Regs[0] < 0 {
					if ex.wanted(uint32(f.Consts[^s.Regs[0]].C)) {
						n.own = 0
					}
				} else if s.Callee.IR.Defined && !s.Callee.Library {
					n.calls = append(n.calls, s.Callee)
				}
			}
		}
		graph[f], d.block[f] = nodes, dist
	}
	for changed, round := true, 0; changed && round < 200; round++ {
		changed = false
		for _, f := range d.funcs {
			dist := d.block[f]
			for i := len(dist) - 1; i >= 0; i-- {
				n := graph[f][i]
				v := n.own
				for _, s := range n.succ {
					v = min(v, dist[s]+1)
				}
				for _, c := range n.calls {
					if cd := d.block[c]; cd != nil {
						v = min(v, cd[0]+2)
					}
				}
				if v < dist[i] {
					dist[i], changed = v, true
				}
			}
		}
	}
	return d
}
