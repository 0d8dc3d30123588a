package csource

import (
	"maps"
	"reflect"
	"slices"
	"sync"

	"modernc.org/cc/v4"
)

// plans caches planOf by type.
var plans sync.Map

// Children returns the nodes directly below n in the order of the text, tokens
// left out.
func (u *Unit) Children(n cc.Node) []cc.Node { return u.push(nil, n) }

// push appends the children of n in the order of the text.
func (u *Unit) push(to []cc.Node, n cc.Node) []cc.Node {
	from := len(to)
	to, p, production := appendChildren(to, n)
	out := to[from:]
	if len(out) < 2 {
		return to
	}
	if order := p.order(production); order != nil {
		var few [8]cc.Node
		was := append(few[:0], out...)
		for i, k := range order {
			out[i] = was[k]
		}
		return to
	}
	// Few children: an insertion sort by place.
	u.mu.Lock()
	defer u.mu.Unlock()
	starts, order := make([]int32, 0, 8), make([]uint8, 0, 8)
	for i, c := range out {
		at := u.span(c).start
		starts, order = append(starts, at), append(order, uint8(i))
		for k := i; k > 0 && starts[k-1] > at; k-- {
			starts[k], starts[k-1] = starts[k-1], starts[k]
			order[k], order[k-1] = order[k-1], order[k]
			out[k], out[k-1] = out[k-1], out[k]
		}
	}
	if starts[0] >= 0 && strictly(starts) {
		p.learn(production, order)
	}
	return to
}

// strictly reports whether each number is larger than the one before.
func strictly(list []int32) bool {
	for i := 1; i < len(list); i++ {
		if list[i] <= list[i-1] {
			return false
		}
	}
	return true
}

// order is how children of a production stand in the text, by their places among the
// fields: nil, if no node has told that as yet. The grammar says it, so that it is the
// same for each, and where they stand need not be looked up again.
func (p *nodePlan) order(production uint64) []uint8 {
	if known := p.orders.Load(); known != nil {
		return (*known)[production]
	}
	return nil
}

func (p *nodePlan) learn(production uint64, order []uint8) {
	if len(p.fields) > maxFields {
		return
	}
	for {
		known := p.orders.Load()
		more := map[uint64][]uint8{production: order}
		if known != nil {
			maps.Copy(more, *known)
		}
		if p.orders.CompareAndSwap(known, &more) {
			return
		}
	}
}

// maxFields is how many fields production has bits for.
const maxFields = 48

// appendChildren is Children in the order of the parser's fields, with the production that
// they are of: the node's case, and which fields are set.
func appendChildren(to []cc.Node, n cc.Node) (out []cc.Node, p *nodePlan, production uint64) {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return to, nil, 0
	}
	v = v.Elem()
	p = planOf(v.Type())
	if p.kind >= 0 {
		production = uint64(v.Field(p.kind).Int()) << maxFields
	}
	for i, f := range p.fields {
		if f.token {
			continue
		}
		fv := v.Field(f.index)
		if fv.IsNil() {
			continue
		}
		if c, ok := fv.Interface().(cc.Node); ok && !reflect.ValueOf(c).IsNil() {
			to = append(to, c)
			production |= 1 << i
		}
	}
	return to, p, production
}

// Walk visits n and what is below it, in the order of the text. visit returns
// whether to go below the node. Types and tokens are not visited.
func (u *Unit) Walk(n cc.Node, visit func(cc.Node) bool) {
	if nodes, ends, base := u.below(n); nodes != nil {
		for i := int32(0); int(i) < len(nodes); {
			if visit(nodes[i]) {
				i++
			} else {
				i = ends[i] - base
			}
		}
		return
	}
	// A list is a chain of nodes as long as the list: an explicit stack keeps
	// large initialisers and function bodies cheap.
	stack := []cc.Node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == nil || reflect.ValueOf(n).IsNil() || !visit(n) {
			continue
		}
		at := len(stack)
		stack = u.push(stack, n)
		slices.Reverse(stack[at:])
	}
}

// WalkParents is Walk with the chain of nodes above the visited one, the
// nearest last. The slice is only valid during the call.
func (u *Unit) WalkParents(n cc.Node, visit func(n cc.Node, above []cc.Node) bool) {
	var above []cc.Node
	if nodes, ends, base := u.below(n); nodes != nil {
		var until []int32 // where what is below each of above ends
		for i := int32(0); int(i) < len(nodes); {
			for len(until) > 0 && until[len(until)-1] <= i {
				above, until = above[:len(above)-1], until[:len(until)-1]
			}
			end := ends[i] - base
			if !visit(nodes[i], above) {
				i = end
				continue
			}
			if end > i+1 {
				above, until = append(above, nodes[i]), append(until, end)
			}
			i++
		}
		return
	}
	type frame struct {
		n     cc.Node
		depth int
	}
	stack := []frame{{n, 0}}
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if f.n == nil || reflect.ValueOf(f.n).IsNil() {
			continue
		}
		above = above[:f.depth]
		if !visit(f.n, above) {
			continue
		}
		above = append(above, f.n)
		kids := u.Children(f.n)
		for i := len(kids) - 1; i >= 0; i-- {
			stack = append(stack, frame{kids[i], f.depth + 1})
		}
	}
}
