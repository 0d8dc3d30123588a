package csource

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"modernc.org/cc/v4"
)

// TestExpressions judges each return value: the comment beside it says what is
// expected, of: effect, may (have an effect), volatile, fault, call.
func TestExpressions(t *testing.T) {
	text := `
struct s { int a; volatile int v; int b[3]; };
static struct s gs; static int ga[4], gi; volatile int vol; volatile int *pv; int *volatile vp;
typedef _Atomic(int) counter; typedef counter again; counter ca; again cb; static _Atomic int cc; struct r { again n; };
int known(const char *) __attribute__((pure)); int unknown(int); unsigned long strlen(const char *);
static int g(int); static int f(int x) { if (x) return g(x - 1); gi++; return 0; }
static int g(int x) { return x ? f(x - 1) : 1; }
static int local(int x) { int a[3] = { 0 }; struct s z; a[1] = x; z.b[2] = a[1]; z.a++; for (; x > 0; x--) ; return z.a; }
static int keeps(void) { static int n; return n++; }
static int through(int *p) { *p = 1; return 0; }
int t(int x, int y, int *p, struct s *q, int (*fp)(int), float d) {
  return x + y; //
  return x = y; // effect
  return x++ + 1; // effect
  return g(x); // effect call fault
  return f(x); // effect call fault
  return local(x); // call fault
  return keeps(); // effect call fault
  return through(&x); // effect call fault
  return known("a"); // call fault
  return strlen("a") > 2; // call fault
  return unknown(x); // may call fault
  return fp(x); // may call fault
  return vol; // volatile
  return *pv; // volatile fault
  return vp != 0; // volatile
  return *(volatile int *)p; // volatile fault
  return *(const volatile __typeof__(*p) *)p; // volatile fault
  return *(again *)p; // volatile fault
  return ca; // volatile
  return cb; // volatile
  return cc; // volatile
  return ((struct r *)p)->n; // volatile fault
  return pv != 0; //
  return gs.v; // volatile
  return q->v; // volatile fault
  return gs.a; //
  return q->a; // fault
  return p[0]; // fault
  return ga[3]; //
  return ga[4]; // fault
  return ga[x]; // fault
  return gs.b[2]; //
  return *p; // fault
  return x / y; // fault
  return x / 2; //
  return x % -1; // fault
  return d / 0.f > 1; //
  return x << 3; //
  return x << y; // fault
  return x << 32; // fault
  return sizeof(*p) + sizeof(x++); //
  return ({ int k = x; k += 2; k; }); //
  return ({ y = 2; y; }); // effect
  return ({ if (x) goto out; x; }); // effect
  return (x, y); //
out:
  return 0; //
}
`
	u := mustLoad(t, strings.ReplaceAll(text, "<< 32; // fault", "<< 32; // fault"))
	lines := strings.Split(text, "\n")
	n := 0
	u.Walk(u.Function("t").Def.CompoundStatement, func(x cc.Node) bool {
		r, ok := x.(*cc.JumpStatement)
		if !ok || r.Case != cc.JumpStatementReturn {
			return true
		}
		n++
		s, _ := u.Span(r)
		_, line := u.LineOf(s.Start)
		_, want, _ := strings.Cut(lines[line-1], "//")
		e := r.ExpressionList
		var got []string
		add := func(is bool, word string) {
			if is {
				got = append(got, word)
			}
		}
		add(u.Effect(e) == HasEffect, "effect")
		add(u.Effect(e) == MayEffect, "may")
		add(u.Volatile(e), "volatile")
		add(u.Calls(e), "call")
		add(u.CanFault(e), "fault")
		if strings.Join(got, " ") != strings.TrimSpace(want) {
			t.Errorf("line %d, %s: got %q, want %q", line, u.Source(e), got, strings.TrimSpace(want))
		}
		if pure := u.Effect(e) == NoEffect && !u.Volatile(e); pure != u.Pure(e) {
			t.Errorf("line %d: Pure is %v", line, u.Pure(e))
		}
		return true
	})
	if n < 35 {
		t.Fatalf("only %d expressions were judged", n)
	}
}

// Several goroutines may ask one unit.
func TestUnitConcurrently(t *testing.T) {
	u := mustLoad(t, "static int g; static int h(int x) { return g = x; }\n"+
		"int f(int x) { cov_label(x > 1 && h(2), 1); return x; }\n")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, f := range u.Functions() {
				u.Walk(f.Def, func(n cc.Node) bool {
					u.Effect(n)
					if s, ok := u.Span(n); ok {
						_ = u.Origin(s.Start)
					}
					return true
				})
			}
			if _, err := u.Labels(); err == nil {
				t.Error("the side effect of h was not found")
			}
		})
	}
	wg.Wait()
}

// The time to read grows with the text, not with its square.
func TestLongFunction(t *testing.T) {
	var b strings.Builder
	b.WriteString("int a[20000] = {")
	for i := range 20000 {
		fmt.Fprintf(&b, "%d,", i)
	}
	b.WriteString("};\nint f(int x) {\n")
	for i := range 20000 {
		fmt.Fprintf(&b, "if (x > %d) cov_label(x == %d, %d);\n", i, i, i)
	}
	b.WriteString("return x; }\n")
	u := mustLoad(t, b.String())
	ls, err := u.Labels()
	if err != nil || len(ls) != 20000 {
		t.Fatal(len(ls), err)
	}
	if p := ls[19999].Position; p.Line != 20002 || p.Column != 16 {
		t.Errorf("the last label is at %+v", p)
	}
}
