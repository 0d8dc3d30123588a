package csource

import (
	"os"
	"path/filepath"
	"reflect"
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
