package code

import (
	"fmt"
	"strings"
	"testing"

	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

func load(t *testing.T, text string) *Program {
	t.Helper()
	m, err := ir.Parse("test.ll", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	link, err := ir.Link([]*ir.Module{m}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(link, expr.NewBuilder(), nil, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestDecode: the operations that instructions become, one function an entry.
func TestDecode(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []Op
	}{
		"scalar":       {"%r = add i32 %a, 1\nret i32 %r", []Op{ir.Add, ir.Ret}},
		"nothing":      {"%r = bitcast i32 %a to i32\nret i32 %r", []Op{Move, ir.Ret}},
		"constant gep": {"%r = getelementptr [4 x i32], ptr %p, i64 0, i64 2\nret i32 0", []Op{ConstAddr, ir.Ret}},
		"indexed gep":  {"%r = getelementptr i32, ptr %p, i32 %a\nret i32 0", []Op{IndexAddr, ir.Ret}},
		"vector":       {"%r = add <2 x i32> %v, %v\nret i32 0", []Op{ir.Add, ir.Add, ir.Ret}},
		"shuffle": {"%r = shufflevector <2 x i32> %v, <2 x i32> %v, <3 x i32> <i32 3, i32 0, i32 undef>\n" +
			"ret i32 0", []Op{Move, Move, Move, ir.Ret}},
		"barrier":  {"call void asm sideeffect \"\", \"~{memory}\"()\nret i32 0", []Op{ir.Ret}},
		"assembly": {"call void asm sideeffect \"hlt\", \"\"()\nret i32 0", []Op{Unsupported, ir.Ret}},
		"aggregate": {"%r = load { i32, i32 }, ptr %p\n%e = extractvalue { i32, i32 } %r, 1\nret i32 %e",
			[]Op{LoadN, Move, ir.Ret}},
		"computed": {"indirectbr ptr %p, [label %x, label %y]\nx:\nret i32 1\ny:\nret i32 2",
			[]Op{ir.IndirectBr, ir.Ret, ir.Ret}},
	} {
		p := load(t, "define i32 @f(i32 %a, ptr %p, <2 x i32> %v) {\n"+c.body+"\n}\n")
		f := p.Lookup("f")
		if err := p.Decode(f); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []Op
		for _, in := range f.Code {
			got = append(got, in.Op)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestFlow: the control flow graph, with the calls that name a label.
func TestFlow(t *testing.T) {
	p := load(t, `
declare i32 @klabel_wants(i32)
define i32 @f(i1 %c, ptr %p) {
  %w = call i32 @klabel_wants(i32 17)
  br i1 %c, label %a, label %b
a:
  call void %p()
  br label %b
b:
  ret i32 %w
}`)
	f := p.Lookup("f")
	if err := p.Decode(f); err != nil {
		t.Fatal(err)
	}
	flow := f.Flow()
	if len(flow) != 3 || len(flow[0].Succ) != 2 || len(flow[2].Succ) != 0 || !flow[1].Indirect || flow[0].Indirect {
		t.Fatalf("%+v", flow)
	}
	if c := flow[0].Calls; len(c) != 1 || c[0].Callee.Name != "klabel_wants" || !c[0].Const || c[0].Arg != 17 {
		t.Errorf("%+v", c)
	}
}

// TestRenew: after Renew a program is as if just read, in the new builder's
// terms.
func TestRenew(t *testing.T) {
	p := load(t, `
@gone = external global i32
define i128 @f(i128 %a) {
  %v = load i32, ptr @gone
  %r = add i128 %a, 170141183460469231731687303715884105727
  ret i128 %r
}
define i32 @g() {
  ret i32 0
}
`)
	f := p.Lookup("f")
	if err := p.Decode(f); err != nil {
		t.Fatal(err)
	}
	if strings.Join(f.Undefined, " ") != "gone" || len(p.Undefined) != 0 || p.Lookup("g").Undefined != nil {
		t.Errorf("undefined: %q, %q", f.Undefined, p.Undefined)
	}
	f.Covered[0] = true
	b := expr.NewBuilder()
	p.Renew(b)
	if f.Covered[0] {
		t.Error("a block is covered")
	}
	wide := 0
	for _, c := range f.Consts {
		if c.E != nil {
			wide++
			if c.E != b.ConstValue(128, c.E.Value()) {
				t.Error("a constant of another builder")
			}
		}
	}
	if wide != 1 {
		t.Errorf("%d wide constants", wide)
	}
}

// TestSymbols: what names mean across files, and addresses that do not depend on
// the order of decoding.
func TestSymbols(t *testing.T) {
	text := `
@v = global i32 1
@alias = alias i32, ptr @v
@weak = extern_weak global i32
declare extern_weak void @nowhere()
@table = global [3 x ptr] [ptr @nowhere, ptr @weak, ptr @alias]
define void @f() {
  ret void
}
define void @g() {
  call void @f()
  ret void
}
`
	p, q := load(t, text), load(t, text)
	if err := q.Decode(q.Lookup("g")); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"f", "g"} {
		if p.Lookup(n).Addr != q.Lookup(n).Addr {
			t.Errorf("%s has two addresses", n)
		}
	}
	m := p.Link.Modules[0]
	for i, want := range []bool{false, false, true} {
		table := m.Globals[len(m.Globals)-1]
		vals, err := p.Const(m, table.Init.Elems[i])
		if err != nil || (vals[0].C != 0) != want {
			t.Errorf("element %d: %v %v", i, vals, err)
		}
	}
}

// TestRegisters: what lives within one block, phis too, shares registers, and the
// phis of one block do not share theirs. Frames are copied at every fork.
func TestRegisters(t *testing.T) {
	var body strings.Builder
	body.WriteString("define i32 @f(i32 %a) {\n  br label %n0\n")
	const blocks = 50
	for i := range blocks {
		fmt.Fprintf(&body, "n%[1]d:\n  %%c%[1]d = icmp eq i32 %%a, %[1]d\n"+
			"  br i1 %%c%[1]d, label %%m%[1]d, label %%j%[1]d\n", i)
		fmt.Fprintf(&body, "m%[1]d:\n  %%d%[1]d = icmp ne i32 %%a, 7\n  br label %%j%[1]d\n", i)
		fmt.Fprintf(&body, "j%[1]d:\n  %%p%[1]d = phi i1 [ false, %%n%[1]d ], [ %%d%[1]d, %%m%[1]d ]\n"+
			"  %%q%[1]d = phi i1 [ %%c%[1]d, %%n%[1]d ], [ true, %%m%[1]d ]\n  %%r%[1]d = and i1 %%p%[1]d, %%q%[1]d\n"+
			"  br i1 %%r%[1]d, label %%out, label %%n%[2]d\n", i, i+1)
	}
	fmt.Fprintf(&body, "n%d:\n  br label %%out\nout:\n  ret i32 %%a\n}\n", blocks)
	p := load(t, body.String())
	f := p.Lookup("f")
	if err := p.Decode(f); err != nil {
		t.Fatal(err)
	}
	// What goes from one block into another's phi has a register of its own.
	if f.NumRegs > 2*blocks+8 {
		t.Errorf("%d registers", f.NumRegs)
	}
	for i, in := range f.Code {
		if in.Op == ir.And && in.A == in.B {
			t.Errorf("instruction %d: two phis have one register", i)
		}
	}
}

// Functions that calls through pointers may come to: of initialisers at once, of code when it
// is decoded.
func TestPointed(t *testing.T) {
	p := load(t, `@table = global ptr @a
declare void @klabel_wants(i32)
define void @a() {
  call void @klabel_wants(i32 7)
  ret void
}
define void @b() {
  ret void
}
define void @called() {
  ret void
}
define void @c(ptr %x) {
  store ptr @b, ptr %x
  call void @called()
  ret void
}
`)
	names := func() (out []string) {
		for _, f := range p.Pointed() {
			out = append(out, f.Name)
		}
		return out
	}
	if got := strings.Join(names(), " "); got != "a" {
		t.Errorf("%q before anything is decoded", got)
	}
	if err := p.Decode(p.Lookup("c")); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names(), " "); got != "a b" {
		t.Errorf("%q with what c stores", got)
	}
	if got := p.Labels(); len(got) != 1 || got[0] != 7 {
		t.Errorf("labels %d, want 7", got)
	}
}
