package csource

import (
	"reflect"
	"sync"

	"modernc.org/cc/v4"
)

// plans caches planOf by type.
var plans sync.Map

// Children returns the nodes directly below n in the order of the text, tokens
// left out.
func (u *Unit) Children(n cc.Node) []cc.Node {
	out := appendChildren(nil, n)
	if len(out) < 2 {
		return out
	}
	// Few children: an insertion sort by place.
	u.mu.Lock()
	defer u.mu.Unlock()
	var few [8]int32
	starts := few[:0]
	for i, c := range out {
		at := u.span(c).start
		starts = append(starts, at)
		for k := i; k > 0 && starts[k-1] > at; k-- {
			starts[k], starts[k-1] = starts[k-1], starts[k]
			out[k], out[k-1] = out[k-1], out[k]
		}
	}
	return out
}

// appendChildren is Children in the order of the parser's fields.
func appendChildren(to []cc.Node, n cc.Node) []cc.Node {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return to
	}
	v = v.Elem()
	for _, f := range planOf(v.Type()) {
		if f.token {
			continue
		}
		fv := v.Field(f.index)
		if fv.IsNil() {
			continue
		}
		if c, ok := fv.Interface().(cc.Node); ok && !reflect.ValueOf(c).IsNil() {
			to = append(to, c)
		}
	}
	return to
}

// Walk visits n and what is below it, in the order of the text. visit returns
// whether to go below the node. Types and tokens are not visited.
func (u *Unit) Walk(n cc.Node, visit func(cc.Node) bool) {
	// A list is a chain of nodes as long as the list: an explicit stack keeps
	// large initialisers and function bodies cheap.
	stack := []cc.Node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == nil || reflect.ValueOf(n).IsNil() || !visit(n) {
			continue
		}
		kids := u.Children(n)
		for i := len(kids) - 1; i >= 0; i-- {
			stack = append(stack, kids[i])
		}
	}
}

// Visit is Walk in any order. Where nodes stand need not be known for it, which takes most
// of the time of a walk.
func (u *Unit) Visit(n cc.Node, visit func(cc.Node) bool) {
	stack := []cc.Node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n != nil && !reflect.ValueOf(n).IsNil() && visit(n) {
			stack = appendChildren(stack, n)
		}
	}
}

// WalkParents is Walk with the chain of nodes above the visited one, the
// nearest last. The slice is only valid during the call.
func (u *Unit) WalkParents(n cc.Node, visit func(n cc.Node, above []cc.Node) bool) {
	var above []cc.Node
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
