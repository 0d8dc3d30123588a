package annotate

import (
	"fmt"

	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
)

// runtimeErrors: RTE, an operation fails: division by zero, an index outside a
// known array, a NULL pointer, a shift by too much, signed overflow, a call of the C
// library that touches what is not there. Such a label is reached by a test that ends in a run-time error.
type runtimeErrors struct{}

// What goes wrong, behind the criterion in a label's tag: findings are named by it.
const (
	byZero   = " zero"
	overflow = " overflow"
	tooFar   = " shift"
	isNull   = " null"
	badIndex = " index"
	tooMuch  = " length"
)

func (r runtimeErrors) mark(f *function, tag string) {
	for _, e := range f.exprs {
		switch e.Kind {
		case ctree.Binary:
			r.operation(f, e, tag)
		case ctree.Assign:
			if e.Op != "=" {
				r.operation(f, e, tag)
			}
		case ctree.Unary:
			r.negation(f, e, tag)
		case ctree.IncDec:
			r.step(f, e, tag)
		case ctree.Deref, ctree.Arrow:
			if e.Parent == nil || e.Parent.Kind != ctree.AddrOf {
				r.pointer(f, e.Kids[0], tag)
			}
		case ctree.Index:
			r.index(f, e, tag)
		case ctree.Call:
			r.call(f, e, tag)
		}
	}
}

func (runtimeErrors) pointer(f *function, p *ctree.Expr, tag string) {
	if p.Const || p.Kind == ctree.AddrOf || !p.Pointer() || p.Type.Undecay().Kind() == cc.Array {
		return
	}
	if s, v := f.value(p); s != nil {
		s.add(v+" == 0", tag+isNull)
	}
}

func (r runtimeErrors) index(f *function, e *ctree.Expr, tag string) {
	a, known := e.Kids[0].Type.Undecay().(*cc.ArrayType)
	if !known {
		if e.Parent == nil || e.Parent.Kind != ctree.AddrOf {
			r.pointer(f, e.Kids[0], tag)
		}
		return
	}
	i := e.Kids[1]
	n, ok := i.Int()
	if !ok || i.Const || a.IsVLA() || a.Len() <= 1 { // one item: often the start of a longer array
		return
	}
	s, v := f.value(i)
	if s == nil {
		return
	}
	p := fmt.Sprintf("%s >= %d", v, a.Len())
	if n.Signed {
		p = v + " < 0 || " + p
	}
	if e.Parent != nil && e.Parent.Kind == ctree.AddrOf { // one past the end may be pointed at
		p = fmt.Sprintf("%s > %d", v, a.Len())
		if n.Signed {
			p = v + " < 0 || " + p
		}
	}
	s.add(p, tag+badIndex)
}

// operation handles what fails in a binary operation.
func (runtimeErrors) operation(f *function, e *ctree.Expr, tag string) {
	b, ok := binary(e)
	if !ok || b.t.Float {
		return
	}
	if len(b.failure("", "")) == 0 || harmless(e.Kids[1], b.op) {
		return
	}
	s, l, r := b.place(f)
	if s == nil {
		return
	}
	for i, p := range b.failure(l, r) {
		kind := overflow
		switch {
		case i == 0 && (b.op == "/" || b.op == "%"):
			kind = byZero
		case b.op == "<<" || b.op == ">>":
			kind = tooFar
		}
		s.add(p, tag+kind)
	}
}

// harmless reports a constant right side with which nothing can fail.
func harmless(r *ctree.Expr, op string) bool {
	if !r.Const {
		return false
	}
	switch op {
	case "/", "%":
		v, ok := r.Node.Value().(cc.Int64Value)
		return !ok || v != 0 && v != -1
	case "<<", ">>":
		return true
	}
	return false
}

// failure lists the predicates under which the operation is undefined.
func (b *binaryOp) failure(l, r string) []string {
	t := b.t
	min, max := t.Min(), t.Max()
	switch b.op {
	case "/", "%":
		out := []string{r + " == 0"}
		if t.Signed && b.lt.Promote().Signed {
			out = append(out, fmt.Sprintf("%s == %s && %s == -1", l, min, r))
		}
		return out
	case "<<", ">>":
		p := b.lt.Promote()
		return []string{fmt.Sprintf("(unsigned long long)%s >= %d", r, p.Bits)}
	}
	if !t.Signed {
		return nil
	}
	if t.Bits == 32 && (b.op == "+" || b.op == "-" || b.op == "*") {
		v := fmt.Sprintf("(long long)%s %s %s", l, b.op, r)
		return []string{fmt.Sprintf("%s > %s || %s < %s", v, max, v, min)}
	}
	switch b.op {
	case "+":
		return []string{fmt.Sprintf("(%[2]s > 0 && %[1]s > %[4]s - %[2]s) || (%[2]s < 0 && %[1]s < %[3]s - %[2]s)", l,
			r, min, max)}
	case "-":
		return []string{fmt.Sprintf("(%[2]s < 0 && %[1]s > %[4]s + %[2]s) || (%[2]s > 0 && %[1]s < %[3]s + %[2]s)", l,
			r, min, max)}
	case "*":
		return []string{fmt.Sprintf("%[1]s > 0 ? (%[2]s > 0 ? %[1]s > %[4]s / %[2]s : %[2]s < %[3]s / %[1]s) : "+
			"(%[2]s > 0 ? %[1]s < %[3]s / %[2]s : %[1]s != 0 && %[2]s < %[4]s / %[1]s)", l, r, min, max)}
	}
	return nil
}

func (runtimeErrors) negation(f *function, e *ctree.Expr, tag string) {
	n, ok := e.Kids[0].Int()
	if !ok || e.Op != "-" || e.Const || !n.Promote().Signed || n.Bits < n.Promote().Bits {
		return
	}
	if s, v := f.value(e.Kids[0]); s != nil {
		s.add(v+" == "+n.Promote().Min(), tag+overflow)
	}
}

// step handles ++ and --, which overflow from int on.
func (runtimeErrors) step(f *function, e *ctree.Expr, tag string) {
	k := e.Kids[0]
	n, ok := k.Int()
	if !ok || !n.Signed || n.Field || n.Bits < 32 || !k.Pure {
		return
	}
	limit := n.Max()
	if e.Op == "--" {
		limit = n.Min()
	}
	f.pre(e).add(f.src(k)+" == "+limit, tag+overflow)
}
