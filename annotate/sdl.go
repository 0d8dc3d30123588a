package annotate

import (
	"fmt"

	"klabel/annotate/ctree"
)

// statementDeletion: WM SDL, an assignment is left out: what is assigned
// differs from what is there already, in the type of the left side. The left
// side must be readable without side effects. What the right side does besides
// stays; ++ and -- are no assignments (they always change what they stand at,
// so that STMT asks for the same).
type statementDeletion struct{}

func (statementDeletion) mark(f *function, tag string) {
	for _, e := range f.exprs {
		if e.Kind != ctree.Assign || len(e.Kids) != 2 || !e.Kids[0].Pure || e.Kids[0].Jumps || !e.Kids[0].Scalar() {
			continue
		}
		lhs, rhs := e.Kids[0], e.Kids[1]
		if !rhs.Scalar() {
			continue
		}
		s, v := f.assigned(e)
		if s == nil {
			continue
		}
		l := stale(f, lhs)
		if e.Op != "=" {
			l = f.src(lhs) // which the program reads too
			v = "(" + l + " " + e.Op[:len(e.Op)-1] + " " + v + ")"
		}
		s.add(l+" != "+converted(f, lhs, v, isFloat(lhs) && e.Op != "=" || isFloat(rhs)), tag)
	}
}

// stale is the value that stands on the left side before the assignment. An
// object of type _Bool that has no value yet may hold any byte, so it is read
// as one.
func stale(f *function, lhs *ctree.Expr) string {
	t := f.src(lhs)
	if n, ok := lhs.Num(); ok && n.Bool && lhs.BitField() == nil {
		if d := lhs.Declarator(); d == nil || !d.IsRegister() {
			return "*(const unsigned char *)&" + t
		}
	}
	return t
}

// assigned is the site where the value of an assignment's right side is known,
// and the text that stands for it there.
func (f *function) assigned(e *ctree.Expr) (*site, string) {
	rhs := e.Kids[1]
	if rhs.Const || e.Op != "=" && rhs.Pure && !rhs.Jumps {
		return f.pre(e), f.src(rhs)
	}
	return f.value(rhs)
}

func isFloat(e *ctree.Expr) bool {
	n, ok := e.Num()
	return ok && n.Float
}

// converted is v as the assignment would store it; float says that v is of a
// floating type.
func converted(f *function, lhs *ctree.Expr, v string, float bool) string {
	n, ok := lhs.Num()
	bf := lhs.BitField()
	switch {
	case !ok || bf == nil:
		return "(__typeof__" + paren(f.src(lhs)) + ")" + v
	case n.Bool:
		return "(_Bool)" + v
	case !n.Signed:
		return fmt.Sprintf("((unsigned long long)%s & %dULL)", v, uint64(1)<<bf.ValueBits()-1)
	}
	sh := 64 - bf.ValueBits()
	if float { // negative values have no unsigned counterpart
		v = "(long long)" + v
	}
	return fmt.Sprintf("(long long)((unsigned long long)%s << %d) >> %d", v, sh, sh)
}
