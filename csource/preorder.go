package csource

import (
	"slices"

	"modernc.org/cc/v4"
)

// preorder is a unit's tree as a list, each node before what is below it, in the order of the
// text. Trees are walked dozens of times, and to ask a node for its children by reflection
// costs ten times what the next of a list does.
type preorder struct {
	nodes []cc.Node
	ends  []int32           // by place in nodes: the place after the last node below
	at    map[cc.Node]int32 // places of nodes with at least fewNodes below them
}

// fewNodes is how many nodes below a node are asked for by reflection: most nodes have less,
// and would make the index as large as the tree.
const fewNodes = 12

// below returns the nodes of n's tree, n first, and for each the place in them after the last
// one below it, less base; nothing where n has few nodes or is no node of the unit's tree.
func (u *Unit) below(n cc.Node) (nodes []cc.Node, ends []int32, base int32) {
	u.orderOnce.Do(func() { u.order = u.listed() })
	at, ok := u.order.at[n]
	if !ok {
		return nil, nil, 0
	}
	end := u.order.ends[at]
	return u.order.nodes[at:end], u.order.ends[at:end], at
}

// listed makes the list, without recursion: a list of C is a chain as deep as it is long.
func (u *Unit) listed() *preorder {
	if u.AST == nil || u.AST.TranslationUnit == nil {
		return &preorder{}
	}
	room := len(u.Text) / 3 // C has about as many nodes
	p := &preorder{nodes: make([]cc.Node, 0, room), ends: make([]int32, 0, room), at: make(map[cc.Node]int32, room/5)}
	var open []int32 // places of the nodes above, the nearest last
	var depths []int // of what waits, how many are above
	waiting := []cc.Node{u.AST.TranslationUnit}
	depths = append(depths, 0)
	for len(waiting) > 0 {
		last := len(waiting) - 1
		n, depth := waiting[last], depths[last]
		waiting, depths = waiting[:last], depths[:last]
		open = p.close(open, depth)
		open = append(open, int32(len(p.nodes)))
		p.nodes, p.ends = append(p.nodes, n), append(p.ends, 0)
		waiting = u.push(waiting, n)
		slices.Reverse(waiting[last:])
		for range waiting[last:] {
			depths = append(depths, depth+1)
		}
	}
	p.close(open, 0)
	return p
}

// close ends the nodes of open that are at depth or below it.
func (p *preorder) close(open []int32, depth int) []int32 {
	end := int32(len(p.nodes))
	for _, at := range open[depth:] {
		p.ends[at] = end
		if end-at > fewNodes {
			p.at[p.nodes[at]] = at
		}
	}
	return open[:depth]
}
