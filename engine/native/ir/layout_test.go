package ir

import "testing"

// Sizes that clang 14 takes for granted where it leaves the padding to LLVM.
func TestWideBitFields(t *testing.T) {
	wide, word := IntType(112), IntType(64)
	s := &Type{Kind: Struct, Fields: []*Type{wide, word}}
	if wide.Size() != 16 || wide.StoreSize() != 14 || s.Offset(1) != 16 || s.Size() != 24 {
		t.Errorf("i112: size %d, stored %d; struct of i112 and i64: offset %d, size %d", wide.Size(), wide.StoreSize(),
			s.Offset(1), s.Size())
	}
	if i := IntType(128); i.Size() != 16 || i.Align() != 16 {
		t.Errorf("i128: size %d, alignment %d", i.Size(), i.Align())
	}
}
