package exec

import (
	"context"
	"testing"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// When the time is over a state stops where it stands, not when it has had its
// turn: instructions that allocate or ask a solver take long.
func TestTimeEndsATurn(t *testing.T) {
	m, err := ir.Parse("test.ll", []byte(`declare ptr @malloc(i64)
define i32 @main() {
  br label %l
l:
  %p = call ptr @malloc(i64 64)
  store i8 1, ptr %p
  br label %l
}`))
	if err != nil {
		t.Fatal(err)
	}
	link, err := ir.Link([]*ir.Module{m}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := code.Load(link, expr.NewBuilder(), nil, Knows)
	if err != nil {
		t.Fatal(err)
	}
	ctx, over := context.WithCancel(context.Background())
	over()
	stats, err := New(p, &recorder{}, statuses{}, Options{}).Run(ctx)
	if err != nil || stats.Instructions > 20 || len(stats.Incomplete) == 0 {
		t.Errorf("%d instructions, %q, %v", stats.Instructions, stats.Incomplete, err)
	}
}
