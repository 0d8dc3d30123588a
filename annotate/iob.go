package annotate

import (
	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
)

// inputOutputBoundary: IOB, formals and the returned value are at the limits
// of their integer types.
type inputOutputBoundary struct{}

func (inputOutputBoundary) mark(f *function, tag string) {
	for _, p := range f.Params {
		if p.Declarator == nil || p.Name() == "" || p.Declarator.IsVolatile() {
			continue
		}
		if n, ok := ctree.NumOf(p.Type()); ok && n.IsInt() {
			limits(f.entry(), p.Name(), n, tag)
		}
	}
	if f.Type == nil {
		return
	}
	n, ok := ctree.NumOf(f.Type.Result())
	if !ok || !n.IsInt() {
		return
	}
	for _, st := range f.stmts {
		if st.Kind != ctree.Return || len(st.Exprs) == 0 {
			continue
		}
		e := st.Exprs[0]
		if from, ok := e.Num(); !ok || e.Const || from.Float {
			continue
		}
		if s, v := f.value(e); s != nil {
			limits(s, "("+typeName(f.Type.Result(), n)+")"+v, n, tag)
		}
	}
}

func limits(s *site, text string, n ctree.Num, tag string) {
	s.add(text+" == "+n.Min(), tag)
	s.add(text+" == "+n.Max(), tag)
}

// typeName spells an integer type for a cast.
func typeName(t cc.Type, n ctree.Num) string {
	switch {
	case n.Bool:
		return "_Bool"
	case n.Bits == 8 && n.Signed:
		return "signed char"
	case n.Bits == 8:
		return "unsigned char"
	case n.Bits == 16 && n.Signed:
		return "short"
	case n.Bits == 16:
		return "unsigned short"
	}
	return n.C
}
