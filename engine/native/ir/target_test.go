package ir

import (
	"strings"
	"testing"
)

const (
	narrow14 = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-f64:32:64-f80:32-n8:16:32-S128"
	narrow19 = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
)

// What i386 aligns to 4 and how large that makes structures, as LLVM's versions have it.
func TestNarrowLayout(t *testing.T) {
	for _, c := range []struct {
		layout, typ string
		size        uint64
		offset      uint64 // of the last field
	}{
		{narrow14, "{ i8, i64, double, ptr }", 24, 20},
		{narrow14, "{ i8, x86_fp80, i8 }", 20, 16},
		{narrow14, "{ i8, i24, i40 }", 16, 8},
		{narrow14, "{ i8, i128 }", 20, 4},
		{narrow19, "{ i8, i128 }", 32, 16},
		{narrow19, "{ i16, <4 x float> }", 32, 16},
		{narrow19, "{ i8, [3 x ptr] }", 16, 4},
	} {
		m, err := Parse("n.ll", []byte("target datalayout = \""+c.layout+"\"\n@x = global "+c.typ+" zeroinitializer\n"))
		if err != nil {
			t.Fatal(err)
		}
		x := m.Globals[0].Type
		if got := x.Offset(len(x.Fields) - 1); x.Size() != c.size || got != c.offset || m.Target.PtrBits != 32 {
			t.Errorf("%s: size %d, last field at %d, want %d and %d", c.typ, x.Size(), got, c.size, c.offset)
		}
	}
}

// Of layouts with small pointers only that of i386 on Linux is one that is known.
func TestForeignLayouts(t *testing.T) {
	for _, layout := range []string{
		"e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", // x32
		"e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64",                                     // ARM
		"e-m:x-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32-a:0:32-S32",       // Windows
		"E-m:e-i64:64-n32:64",
	} {
		if _, err := Parse("f.ll", []byte("target datalayout = \""+layout+"\"\n")); err == nil ||
			!strings.Contains(err.Error(), "not supported") {
			t.Errorf("%s: %v", layout, err)
		}
	}
}

// Modules of one program have addresses of one width.
func TestLinkWidths(t *testing.T) {
	module := func(layout string) *Module {
		m, err := Parse("m.ll", []byte("target datalayout = \""+layout+"\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if _, err := Link([]*Module{module(narrow14)}, []*Module{module(narrow19)}); err != nil {
		t.Error(err)
	}
	if _, err := Link([]*Module{module(narrow14)}, []*Module{module("e-m:e-i64:64-f80:128")}); err == nil {
		t.Error("modules of 32 and 64 bits are linked")
	}
}

// Where functions may not use SSE2, the x87 computes.
func TestX87(t *testing.T) {
	for features, want := range map[string]bool{"+cx8,+x87": true, "+cx8,+mmx,+sse,+sse2,+x87": false} {
		m, err := Parse("x.ll", []byte("target datalayout = \""+narrow14+"\"\n"+
			"attributes #0 = { nounwind \"target-features\"=\""+features+"\" \"tune-cpu\"=\"generic\" }\n"))
		if err != nil || m.X87 != want {
			t.Errorf("%s: %v, %v", features, m.X87, err)
		}
	}
}
