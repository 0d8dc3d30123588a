package ir

import (
	"fmt"
	"strings"
)

// Kind tells types apart.
type Kind uint8

// The kinds of types.
const (
	Void Kind = iota
	Int
	Float
	Double
	X86FP80
	Half
	Quad       // fp128
	OtherFloat // bfloat, ppc_fp128: readable, not executable
	Ptr
	Array
	Vector
	Struct
	Func
	LabelType
	MetadataType
	Opaque
)

// Type is an LLVM type. Types are compared by Kind and content, not by
// identity, except named structs.
type Type struct {
	Kind     Kind
	Bits     int     // Int
	Len      uint64  // Array, Vector
	Elem     *Type   // Array, Vector; Func: the returned type
	Fields   []*Type // Struct; Func: the parameters
	Packed   bool
	Variadic bool
	Name     string // named struct

	target  *Target // of scalars; nil: x86-64
	laidOut bool
	busy    bool
	size    uint64
	align   uint64
	offsets []uint64
	leaves  int
	bad     bool // infinite or absurd size
}

var (
	voidType     = &Type{Kind: Void}
	labelType    = &Type{Kind: LabelType}
	metadataType = &Type{Kind: MetadataType}
)

// IntType returns iN as x86-64 has it, N up to 128 shared.
func IntType(bits int) *Type { return amd64.intType(bits) }

// on is the target that a scalar type belongs to.
func (t *Type) on() *Target {
	if t.target == nil {
		return amd64
	}
	return t.target
}

// MaxSize bounds the size of a type that is accepted.
const MaxSize = 1 << 40

// layout computes size, alignment and field offsets by the target's data layout. On
// x86-64 i64 is aligned to 8, f80 to 16, i128 to 8 before LLVM 18 (which clang respects
// by explicit padding, so that the difference does not show in C structs); on i386
// all of them to 4.
func (t *Type) layout() {
	if t.laidOut {
		return
	}
	if t.busy { // a struct that contains itself
		t.bad = true
		return
	}
	t.busy = true
	defer func() { t.busy = false; t.laidOut = true }()
	t.align, t.leaves = 1, 1
	switch t.Kind {
	case Int:
		t.size = uint64(t.Bits+7) / 8
		a := uint64(1)
		for a < t.size && a < t.on().maxAlign {
			a *= 2
		}
		t.align = a
		// clang makes odd ones, such as i112, of neighbouring bit-fields, and only
		// where the data layout aligns them to 8. For i128 it pads by itself.
		if t.Bits >= 128 || t.Bits > 64 && t.on() != amd64 {
			t.align = t.on().wideAlign
		}
		t.size = roundUp(t.size, t.align)
		if t.Bits > 128 {
			t.leaves = (t.Bits + 63) / 64
		}
	case Float:
		t.size, t.align = 4, 4
	case Double:
		t.size, t.align = 8, t.on().maxAlign
	case Ptr:
		t.size = uint64(t.on().PtrBits) / 8
		t.align = t.size
	case X86FP80:
		t.size = t.on().fp80Size
		t.align = min(16, t.size&-t.size)
	case Half:
		t.size, t.align = 2, 2
	case Quad, OtherFloat:
		t.size, t.align = 16, 16
	case Array, Vector:
		t.Elem.layout()
		es, n := t.Elem.size, t.Len
		if t.Elem.bad || es != 0 && n > MaxSize/es || n > MaxSize {
			t.bad = true
			return
		}
		t.size, t.align = es*n, t.Elem.align
		if t.Kind == Vector {
			t.align = 1
			for t.align < t.size && t.align < 64 {
				t.align *= 2
			}
			t.size = roundUp(t.size, t.align)
		}
		t.leaves = clampLeaves(uint64(t.Elem.leaves) * n)
	case Struct:
		off, sum := uint64(0), uint64(0)
		for _, f := range t.Fields {
			f.layout()
			if f.bad || f.busy || off > MaxSize {
				t.bad = true
				return
			}
			if !t.Packed {
				off = roundUp(off, f.align)
				t.align = max(t.align, f.align)
			}
			t.offsets = append(t.offsets, off)
			off += f.size
			sum += uint64(f.leaves)
		}
		t.size = roundUp(off, t.align)
		t.leaves = clampLeaves(sum)
	default:
		t.leaves = 0
	}
}

func clampLeaves(n uint64) int { return int(min(n, 1<<20)) }

func roundUp(n, a uint64) uint64 { return (n + a - 1) / a * a }

// Size is the number of bytes that an array element of the type takes.
func (t *Type) Size() uint64 { t.layout(); return t.size }

// Align is the type's natural alignment.
func (t *Type) Align() uint64 { t.layout(); return t.align }

// StoreSize is the number of bytes that a store of the type writes.
func (t *Type) StoreSize() uint64 {
	switch t.Kind {
	case Int:
		return uint64(t.Bits+7) / 8
	case X86FP80:
		return 10
	}
	return t.Size()
}

// Offset is the byte offset of a struct's field.
func (t *Type) Offset(field int) uint64 { t.layout(); return t.offsets[field] }

// Leaves is the number of scalars in a value of the type.
func (t *Type) Leaves() int { t.layout(); return t.leaves }

// Bad reports a type without a sensible size: one that contains itself, or one
// larger than MaxSize.
func (t *Type) Bad() bool { t.layout(); return t.bad }

// Width is the number of bits in a scalar's value, 0 for others.
func (t *Type) Width() int {
	switch t.Kind {
	case Int:
		return t.Bits
	case Float:
		return 32
	case Double:
		return 64
	case Ptr:
		return t.on().PtrBits
	case X86FP80:
		return 80
	case Half:
		return 16
	case Quad:
		return 128
	}
	return 0
}

// IsWide reports an integer type that is wider than a register. Its values are
// kept as scalars of 64 bits, lowest first; clang makes such integers of long
// runs of bit-fields.
func (t *Type) IsWide() bool { return t.Kind == Int && t.Bits > 128 }

// IsAggregate reports whether a value of the type is made of several scalars.
func (t *Type) IsAggregate() bool {
	return t.Kind == Array || t.Kind == Vector || t.Kind == Struct || t.IsWide()
}

// limb is the type of scalar i of a wide integer.
func (t *Type) limb(i int) *Type { return t.on().intType(min(64, t.Bits-64*i)) }

// IsFloat reports a floating-point type.
func (t *Type) IsFloat() bool {
	return t.Kind >= Float && t.Kind <= OtherFloat
}

func (t *Type) String() string {
	switch t.Kind {
	case Void:
		return "void"
	case Int:
		return fmt.Sprintf("i%d", t.Bits)
	case Float:
		return "float"
	case Double:
		return "double"
	case X86FP80:
		return "x86_fp80"
	case Half:
		return "half"
	case Quad:
		return "fp128"
	case OtherFloat:
		return "unsupported floating-point type"
	case Ptr:
		return "ptr"
	case Array:
		return fmt.Sprintf("[%d x %s]", t.Len, t.Elem)
	case Vector:
		return fmt.Sprintf("<%d x %s>", t.Len, t.Elem)
	case Struct:
		if t.Name != "" {
			return "%" + t.Name
		}
		var s []string
		for _, f := range t.Fields {
			s = append(s, f.String())
		}
		return "{ " + strings.Join(s, ", ") + " }"
	case Func:
		return t.Elem.String() + " (...)"
	case LabelType:
		return "label"
	case MetadataType:
		return "metadata"
	}
	return "opaque"
}

// AppendLeaves appends the scalar types and byte offsets of a value of type t
// that starts at byte base.
func (t *Type) AppendLeaves(types []*Type, offs []uint64, base uint64) ([]*Type, []uint64) {
	switch t.Kind {
	case Array, Vector:
		for i := uint64(0); i < t.Len; i++ {
			types, offs = t.Elem.AppendLeaves(types, offs, base+i*t.Elem.Size())
		}
	case Struct:
		for i, f := range t.Fields {
			types, offs = f.AppendLeaves(types, offs, base+t.Offset(i))
		}
	case Void, Func, LabelType, MetadataType, Opaque:
	default:
		if t.IsWide() {
			for i := 0; i < t.Leaves(); i++ {
				types, offs = append(types, t.limb(i)), append(offs, base+8*uint64(i))
			}
			return types, offs
		}
		types, offs = append(types, t), append(offs, base)
	}
	return types, offs
}
