package ir

import "strings"

// Target is what a module's data layout says of sizes: that of x86-64, or of its
// 32-bit sibling i386, where pointers have 4 bytes and nothing that C has by itself
// needs an alignment of more than 4.
type Target struct {
	PtrBits int

	maxAlign  uint64 // of integers up to 64 bits and of floating-point numbers
	wideAlign uint64 // of integers of more than 64 bits
	fp80Size  uint64
	ptr       *Type
	float     *Type
	double    *Type
	fp80      *Type
	half      *Type
	quad      *Type
	ints      [129]*Type
}

// The targets. LLVM has aligned i128 to 16 on i386, too, since its version 18.
var (
	amd64   = newTarget(64, 8, 16, 16)
	i386    = newTarget(32, 4, 4, 12)
	i386New = newTarget(32, 4, 16, 12)
)

// Usual is the target that programs have where nothing is said: x86-64.
func Usual() *Target { return amd64 }

func newTarget(ptrBits int, maxAlign, wideAlign, fp80Size uint64) *Target {
	g := &Target{PtrBits: ptrBits, maxAlign: maxAlign, wideAlign: wideAlign, fp80Size: fp80Size}
	g.ptr, g.float = &Type{Kind: Ptr, target: g}, &Type{Kind: Float, target: g}
	g.double, g.fp80 = &Type{Kind: Double, target: g}, &Type{Kind: X86FP80, target: g}
	g.half, g.quad = &Type{Kind: Half, target: g}, &Type{Kind: Quad, target: g}
	for i := range g.ints {
		g.ints[i] = &Type{Kind: Int, Bits: i, target: g}
	}
	return g
}

// targetOf reads a data layout; nil if it is none of these targets.
func targetOf(layout string) *Target {
	switch {
	case layout == "":
		return amd64
	case !strings.HasPrefix(layout, "e"):
		return nil
	case !strings.Contains(layout, "-p:32"):
		return amd64
	case !strings.Contains(layout, "-f80:32-"): // of all targets i386 alone has such
		return nil
	case strings.Contains(layout, "-i128:128-"):
		return i386New
	}
	return i386
}

func (g *Target) intType(bits int) *Type {
	if bits < len(g.ints) {
		return g.ints[bits]
	}
	return &Type{Kind: Int, Bits: bits, target: g}
}
