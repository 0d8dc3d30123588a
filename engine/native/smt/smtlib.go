package smt

import (
	"bytes"
	"fmt"
	"strings"

	"klabel/engine/native/expr"
)

// smtWriter writes conjunctions in SMT-LIB's QF_BV, QF_BVFP where there are floats. Each variable byte is a
// constant named after its position; each node that is used is defined once.
type smtWriter struct {
	out   bytes.Buffer
	done  map[uint64]bool
	bytes []uint64
	err   error // something has no counterpart in SMT-LIB
}

// Write returns the commands that declare and assert cs, without
// (check-sat), and the positions of the variable bytes bN that occur.
func Write(cs []*expr.Expr) (text string, positions []uint64, err error) {
	w := smtWriter{done: make(map[uint64]bool)}
	for _, e := range cs {
		name := w.define(e)
		fmt.Fprintf(&w.out, "(assert (= %s #b1))\n", name)
	}
	return w.out.String(), w.bytes, w.err
}

var smtOps = map[expr.Op]string{
	expr.OpAdd: "bvadd", expr.OpSub: "bvsub", expr.OpMul: "bvmul", expr.OpUDiv: "bvudiv", expr.OpSDiv: "bvsdiv",
	expr.OpURem: "bvurem", expr.OpSRem: "bvsrem", expr.OpAnd: "bvand", expr.OpOr: "bvor", expr.OpXor: "bvxor",
	expr.OpNot: "bvnot", expr.OpShl: "bvshl", expr.OpLShr: "bvlshr", expr.OpAShr: "bvashr", expr.OpConcat: "concat",
	expr.OpEq: "=", expr.OpUlt: "bvult", expr.OpUle: "bvule", expr.OpSlt: "bvslt", expr.OpSle: "bvsle",
}

// define returns a term for e, defining what it needs before.
func (w *smtWriter) define(e *expr.Expr) string {
	switch e.Op() {
	case expr.OpConst:
		var s strings.Builder
		s.WriteString("#b")
		for i := e.Width() - 1; i >= 0; i-- {
			s.WriteByte('0' + map[bool]byte{true: 1}[e.Value().Bit(i)])
		}
		return s.String()
	case expr.OpLeaf:
		return w.leaf(e)
	}
	name := fmt.Sprintf("n%d", e.ID())
	if w.done[e.ID()] {
		return name
	}
	w.done[e.ID()] = true
	kids := make([]string, e.NumKids())
	for i := range kids {
		kids[i] = w.define(e.Kid(i))
	}
	if e.IsFloat() {
		w.float(e, name, kids)
		return name
	}
	var body string
	switch op := e.Op(); op {
	case expr.OpExtract:
		body = fmt.Sprintf("((_ extract %d %d) %s)", e.Low()+e.Width()-1, e.Low(), kids[0])
	case expr.OpZExt:
		body = fmt.Sprintf("((_ zero_extend %d) %s)", e.Width()-e.Kid(0).Width(), kids[0])
	case expr.OpSExt:
		body = fmt.Sprintf("((_ sign_extend %d) %s)", e.Width()-e.Kid(0).Width(), kids[0])
	case expr.OpIte:
		body = fmt.Sprintf("(ite (= %s #b1) %s %s)", kids[0], kids[1], kids[2])
	case expr.OpEq, expr.OpUlt, expr.OpUle, expr.OpSlt, expr.OpSle:
		body = fmt.Sprintf("(ite (%s %s) #b1 #b0)", smtOps[op], strings.Join(kids, " "))
	default:
		body = fmt.Sprintf("(%s %s)", smtOps[op], strings.Join(kids, " "))
	}
	fmt.Fprintf(&w.out, "(define-fun %s () (_ BitVec %d) %s)\n", name, e.Width(), body)
	return name
}

// leaf writes the bits of a leaf as a part of the bytes it lies in.
func (w *smtWriter) leaf(e *expr.Expr) string {
	from, to := e.LeafPos(), e.LeafPos()+uint64(e.Width())
	first, last := from/8, (to-1)/8
	var names []string
	for p := first; p <= last; p++ {
		if !w.done[^p] {
			w.done[^p] = true
			w.bytes = append(w.bytes, p)
			fmt.Fprintf(&w.out, "(declare-fun b%d () (_ BitVec 8))\n", p)
		}
		names = append([]string{fmt.Sprintf("b%d", p)}, names...)
	}
	all := names[0]
	if len(names) > 1 {
		all = "(concat " + strings.Join(names, " ") + ")"
	}
	if from%8 == 0 && to%8 == 0 {
		return all
	}
	return fmt.Sprintf("((_ extract %d %d) %s)", to-1-first*8, from-first*8, all)
}

// parseValues reads the answer to get-value: ((b12 #x05) (b13 #b00000111)).
func parseValues(text string) (*expr.Model, error) {
	f := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(text))
	if len(f)%2 != 0 {
		return nil, fmt.Errorf("smt: cannot read the model %q", text)
	}
	m := &expr.Model{}
	for i := 0; i < len(f); i += 2 {
		var pos uint64
		var v byte
		_, err := fmt.Sscanf(f[i], "b%d", &pos)
		if err == nil {
			_, err = fmt.Sscanf(strings.NewReplacer("#b", "0b", "#x", "0x").Replace(f[i+1]), "%v", &v)
		}
		if err != nil {
			return nil, fmt.Errorf("smt: cannot read %s %s in a model", f[i], f[i+1])
		}
		m.SetAt(pos, v)
	}
	return m, nil
}
