package code

import "klabel/engine/native/ir"

// Phi is a register that the edges into a block fill.
type Phi struct {
	Block, Reg int32
	Type       *ir.Type
	Plain      bool // it decides nothing; see Func.Plain
	name       string
}

// Joins returns for each block the one in which all ways from it to the function's end
// meet first, -1 if there is none: its immediate postdominator.
func (f *Func) Joins() []int32 {
	if f.joins == nil {
		f.joins = joins(f.Flow())
	}
	return f.joins
}

// joins computes postdominators by Cooper, Harvey and Kennedy's iteration, with one
// end behind all blocks that have no successor.
func joins(flow []Flow) []int32 {
	end := int32(len(flow))
	before := make([][]int32, len(flow)+1)
	for i, n := range flow {
		for _, s := range n.Succ {
			before[s] = append(before[s], int32(i))
		}
		if len(n.Succ) == 0 {
			before[end] = append(before[end], int32(i))
		}
	}
	number := make([]int, len(flow)+1) // in postorder of a walk against the edges; 0: not met
	var order []int32
	type step struct {
		at   int32
		next int
	}
	seen := make([]bool, len(flow)+1)
	seen[end] = true
	for work := []step{{at: end}}; len(work) > 0; {
		top := &work[len(work)-1]
		if top.next < len(before[top.at]) {
			p := before[top.at][top.next]
			top.next++
			if !seen[p] {
				seen[p] = true
				work = append(work, step{at: p})
			}
			continue
		}
		order = append(order, top.at)
		number[top.at] = len(order)
		work = work[:len(work)-1]
	}
	out := make([]int32, len(flow)+1)
	for i := range out {
		out[i] = -1
	}
	out[end] = end
	for changed := true; changed; {
		changed = false
		for k := len(order) - 2; k >= 0; k-- {
			i := order[k]
			best := int32(-1)
			succ := flow[i].Succ
			if len(succ) == 0 {
				succ = []int32{end}
			}
			for _, s := range succ {
				switch {
				case out[s] < 0:
				case best < 0:
					best = s
				default:
					a, b := best, s
					for a != b {
						for number[a] < number[b] {
							a = out[a]
						}
						for number[b] < number[a] {
							b = out[b]
						}
					}
					best = a
				}
			}
			if best != out[i] {
				out[i], changed = best, true
			}
		}
	}
	out = out[:len(flow)]
	for i, j := range out {
		if j == end {
			out[i] = -1
		}
	}
	return out
}

// loops reports whether a block can come back to itself before it comes to its join.
func loops(flow []Flow, joins []int32, block int32) bool {
	seen := map[int32]bool{joins[block]: true}
	for work := append([]int32(nil), flow[block].Succ...); len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == block {
			return true
		}
		if !seen[i] {
			seen[i] = true
			work = append(work, flow[i].Succ...)
		}
	}
	return false
}
