package csource

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"modernc.org/cc/v4"
)

// Children stand in the order of the text, though where they stand is looked up for the
// first node of a production alone.
func TestChildrenInOrder(t *testing.T) {
	texts := []string{everyKind}
	files, _ := filepath.Glob("../annotate/testdata/*.c")
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	nodes, learnt := 0, 0
	for _, text := range texts {
		u, err := load(t, text)
		if err != nil {
			continue // it asks for flags
		}
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			kids := u.Children(n)
			if nodes++; len(kids) < 2 {
				return true
			}
			_, p, production := appendChildren(nil, n)
			if p.order(production) != nil {
				learnt++
			}
			last := int32(-1)
			for _, k := range kids {
				u.mu.Lock()
				s := u.span(k)
				u.mu.Unlock()
				if s.start >= 0 && s.start < last {
					t.Errorf("%T of %s: %T stands before what comes before it", n, u.Source(n), k)
				}
				last = max(last, s.start)
			}
			return true
		})
	}
	if nodes < 2000 || learnt < 300 {
		t.Errorf("%d nodes were seen, the order of %d is known", nodes, learnt)
	}
	if planOf(reflect.TypeFor[cc.PostfixExpression]()).orders.Load() == nil {
		t.Error("nothing is learnt of postfix expressions")
	}
}

// Walk and WalkParents see below each node what the children of each say, and nothing of what
// is below a node that they are told to leave out.
func TestWalkIsThatOfChildren(t *testing.T) {
	u, err := load(t, everyKind)
	if err != nil {
		t.Fatal(err)
	}
	for _, keep := range []func(cc.Node) bool{
		func(cc.Node) bool { return true },
		func(n cc.Node) bool { _, ok := n.(*cc.Declarator); return !ok },
		func(n cc.Node) bool { _, ok := n.(*cc.CompoundStatement); return !ok },
	} {
		large := 0
		u.Walk(u.AST.TranslationUnit, func(root cc.Node) bool {
			var want, walked, above []string
			var down func(n cc.Node, path string)
			down = func(n cc.Node, path string) {
				want = append(want, fmt.Sprintf("%T%p", n, n))
				above = append(above, path)
				for _, c := range u.Children(n) {
					if keep(n) {
						down(c, path+fmt.Sprintf("/%T%p", n, n))
					}
				}
			}
			down(root, "")
			u.Walk(root, func(n cc.Node) bool {
				walked = append(walked, fmt.Sprintf("%T%p", n, n))
				return keep(n)
			})
			var paths []string
			u.WalkParents(root, func(n cc.Node, over []cc.Node) bool {
				path := ""
				for _, o := range over {
					path += fmt.Sprintf("/%T%p", o, o)
				}
				paths = append(paths, path)
				return keep(n)
			})
			if !slices.Equal(walked, want) || !slices.Equal(paths, above) {
				t.Fatalf("below %T of %q: %d nodes, want %d", root, u.Source(root), len(walked), len(want))
			}
			if len(want) > fewNodes {
				large++
			}
			return true
		})
		if large < 20 {
			t.Errorf("%d trees are large", large)
		}
	}
}
