package ir

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func parseAll(t testing.TB, path string) *Module {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(path, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Funcs {
		if _, err := f.Blocks(); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	return m
}

func TestParseFiles(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.ll")
	if len(files) < 2 {
		t.Fatal("no test files")
	}
	for _, f := range files {
		m := parseAll(t, f)
		var main *Function
		for _, fn := range m.Funcs {
			if fn.Name == "main" {
				main = fn
			}
		}
		if main == nil {
			t.Fatalf("%s: no main", f)
		}
		blocks, _ := main.Blocks()
		located := 0
		for _, b := range blocks {
			for _, in := range b.Instrs {
				if l, ok := m.Location(in.Dbg); ok {
					located++
					if l.Function != "main" || filepath.Base(l.File) != "sample.c" {
						t.Errorf("%s:%d: location %+v", f, in.Line, l)
					}
				}
			}
		}
		if located < 10 {
			t.Errorf("%s: %d instructions have a place", f, located)
		}
	}
}

func TestLayout(t *testing.T) {
	s := &Type{Kind: Struct, Fields: []*Type{IntType(8), IntType(32), IntType(8), IntType(64), amd64.fp80, IntType(1)}}
	want := []uint64{0, 4, 8, 16, 32, 48}
	for i, w := range want {
		if s.Offset(i) != w {
			t.Errorf("offset %d = %d, want %d", i, s.Offset(i), w)
		}
	}
	if s.Size() != 64 || s.Leaves() != 6 {
		t.Errorf("size %d, leaves %d", s.Size(), s.Leaves())
	}
	s.Packed, s.laidOut, s.offsets = true, false, nil
	if s.Size() != 31 {
		t.Errorf("packed size %d", s.Size())
	}
}

func TestBadInput(t *testing.T) {
	for _, src := range []string{
		"hello", "define i32 @f(", "define i32 @f() {\n", "@x = global",
		"%t = type { %t }\n@g = global %t zeroinitializer",
		"@x = global [4 x i8] c\"ab\"", "target datalayout = \"E-m:e\"", "%a = type %a",
		"@a = global [99999999999999 x i64] zeroinitializer",
		"BC\xc0\xde\x35\x14", "@x = global {i8, i8} {i8 1}",
	} {
		if _, err := Parse("bad.ll", []byte(src)); err == nil {
			t.Errorf("accepted %q", src)
		}
	}
}

func TestLink(t *testing.T) {
	mod := func(name, s string) *Module {
		m, err := Parse(name, []byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	a := mod("a.ll", "@x = external global i32\n@s = internal global i32 1\ndeclare i32 @f()\n"+
		"@c = common global i32 0\ndefine weak i32 @w() {\n  ret i32 1\n}\n")
	b := mod("b.ll", "@x = global i32 7\n@s = internal global i32 2\n@c = common global [4 x i32] zeroinitializer\n"+
		"define i32 @f() {\n  ret i32 1\n}\ndefine i32 @w() {\n  ret i32 2\n}\n")
	p, err := Link([]*Module{a, b}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if g := p.Lookup(a, "x").Global; g == nil || g.Module != b {
		t.Error("x is not resolved")
	}
	if p.Lookup(a, "s").Global.Module != a || p.Lookup(b, "s").Global.Module != b {
		t.Error("internal symbols are mixed up")
	}
	if p.Lookup(a, "c").Global.Type.Size() != 16 {
		t.Error("common symbol of the wrong size")
	}
	if p.Lookup(a, "w").Func.Module != b || !p.Lookup(a, "f").Func.Defined {
		t.Error("functions are not resolved")
	}
	if _, err := Link([]*Module{b, mod("c.ll", "@x = global i32 8\n")}, nil); err == nil {
		t.Error("a double definition is accepted")
	}
	if _, err := Link([]*Module{b}, []*Module{mod("c.ll", "@x = global i32 8\n")}); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.ll")
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	f.Add([]byte("define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  ret i32 %2\n}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Parse("x.ll", b)
		if err != nil {
			return
		}
		for _, fn := range m.Funcs {
			blocks, _ := fn.Blocks()
			for _, bl := range blocks {
				for _, in := range bl.Instrs {
					m.Location(in.Dbg)
				}
			}
		}
	})
}

// TestAppendCalls: arguments of calls are found without parsing bodies.
func TestAppendCalls(t *testing.T) {
	m, err := Parse("f.ll", []byte(`declare i32 @wants(i32)
define void @f(i32 %x) {
  %1 = call i32 @wants(i32 noundef 17), !dbg !5
  %2 = call i32 @wants(i32 4) #2
  %3 = call i32 @wants(i32 noundef %x)
  %4 = call i32 @not_wants(i32 9)
  ret void
}
define void @g() {
  %1 = call i32 @wants(i32 5)
  ret void
}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Funcs {
		want := map[string][]uint32{"f": {17, 4}, "g": {5}}[f.Name]
		if got := f.AppendCalls(nil, "wants"); f.Defined && !slices.Equal(got, want) {
			t.Errorf("%s: %d, want %d", f.Name, got, want)
		}
		if f.parsed {
			t.Errorf("%s was parsed", f.Name)
		}
	}
}
