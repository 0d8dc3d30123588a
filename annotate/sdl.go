package annotate

import (
	"fmt"

	"klabel/annotate/ctree"
)

// statementDeletion: WM SDL, an assignment is left out: what is assigned
// differs from what is there already. The left side must be readable without
// side effects.
type statementDeletion struct{}

func (statementDeletion) mark(f *fun, tag string) {
	for _, e := range f.exprs {
		if e.Kind != ctree.Assign || len(e.Kids) != 2 || !e.Kids[0].Pure || e.Kids[0].Jumps || !e.Kids[0].Scalar() {
			continue
		}
		lhs, rhs := e.Kids[0], e.Kids[1]
		if e.Op != "=" {
			deleteCompound(f, e, tag)
			continue
		}
		s, v := f.value(rhs)
		if rhs.Const {
			s, v = f.pre(e), f.src(rhs)
		}
		if s == nil || !rhs.Scalar() {
			continue
		}
		s.add(stale(f, lhs)+" != "+converted(f, lhs, v), tag)
	}
}

// stale is the value that stands on the left side before the assignment. An
// object of type _Bool that has no value yet may hold any byte, so it is read
// as one.
func stale(f *fun, lhs *ctree.Expr) string {
	t := f.src(lhs)
	if n, ok := lhs.Num(); ok && n.Bool && !n.Field && lhs.Type.BitField() == nil {
		if d := lhs.Declarator(); d == nil || !d.IsRegister() {
			return "*(const unsigned char *)&" + t
		}
	}
	return t
}

// converted is v as the assignment would store it.
func converted(f *fun, lhs *ctree.Expr, v string) string {
	n, ok := lhs.Num()
	bf := lhs.Type.BitField()
	switch {
	case !ok || bf == nil:
		return "(__typeof__" + paren(f.src(lhs)) + ")" + v
	case n.Bool:
		return "(_Bool)" + v
	case !n.Signed:
		return fmt.Sprintf("((unsigned long long)%s & %dULL)", v, uint64(1)<<bf.ValueBits()-1)
	}
	sh := 64 - bf.ValueBits()
	return fmt.Sprintf("(long long)((unsigned long long)%s << %d) >> %d", v, sh, sh)
}

func deleteCompound(f *fun, e *ctree.Expr, tag string) {
	b, ok := binary(e)
	if !ok || !e.Kids[1].Pure {
		return
	}
	s, l, r := b.place(f)
	if s == nil {
		return
	}
	s.add(l+" != "+b.original(l, r), tag)
}
