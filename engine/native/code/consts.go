package code

import (
	"fmt"

	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// Const evaluates a constant to the values of its scalars.
func (p *Program) Const(m *ir.Module, v *ir.Value) ([]Value, error) {
	if v.Type.IsAggregate() {
		return p.constAggregate(m, v)
	}
	x, err := p.constScalar(m, v)
	if err != nil {
		return nil, err
	}
	return []Value{p.number(v.Type.Width(), x)}, nil
}

// number makes a register value of a constant.
func (p *Program) number(w int, x expr.Value) Value {
	if w > 64 {
		return Value{E: p.Builder.ConstValue(w, x)}
	}
	return Value{C: x.Lo & mask(w)}
}

func (p *Program) constAggregate(m *ir.Module, v *ir.Value) ([]Value, error) {
	n := v.Type.Leaves()
	if n >= 1<<16 {
		return nil, fmt.Errorf("value of type %s is too large for a register", v.Type)
	}
	switch v.Kind {
	case ir.Zero, ir.Undef:
		return make([]Value, n), nil
	case ir.StringConst:
		out := make([]Value, len(v.Str))
		for i := range out {
			out[i].C = uint64(v.Str[i])
		}
		return out, nil
	case ir.AggregateConst:
		var out []Value
		for _, e := range v.Elems {
			x, err := p.Const(m, e)
			if err != nil {
				return nil, err
			}
			out = append(out, x...)
		}
		return out, nil
	}
	return nil, fmt.Errorf("constant expression of type %s", v.Type)
}

func (p *Program) constScalar(m *ir.Module, v *ir.Value) (expr.Value, error) {
	switch v.Kind {
	case ir.IntConst:
		if v.Type.Bits > 128 {
			return expr.Value{}, fmt.Errorf("integer of %d bits", v.Type.Bits)
		}
		return expr.Value{Lo: v.Lo, Hi: v.Hi}, nil
	case ir.FloatConst:
		if v.Type.Kind == ir.OtherFloat {
			return expr.Value{}, fmt.Errorf("a number of an unsupported type")
		}
		return expr.Value{Lo: v.Lo, Hi: v.Hi}, nil
	case ir.Null, ir.Undef, ir.Zero:
		return expr.Value{}, nil
	case ir.GlobalRef:
		a, err := p.symbol(m, v.Name)
		return expr.Value{Lo: a}, err
	case ir.ExprConst:
		return p.constExpr(m, v)
	case ir.BlockAddress:
		if s := p.Link.Lookup(m, v.Name); s.Func != nil {
			return expr.Value{Lo: p.label(s.Func, v.Str)}, nil
		}
		return expr.Value{}, fmt.Errorf("address of a label of the unknown function %s", v.Name)
	}
	return expr.Value{}, fmt.Errorf("constant")
}

var exprOps = map[ir.Op]expr.Op{ir.Add: expr.OpAdd, ir.Sub: expr.OpSub, ir.Mul: expr.OpMul, ir.UDiv: expr.OpUDiv,
	ir.SDiv: expr.OpSDiv,
	ir.URem: expr.OpURem, ir.SRem: expr.OpSRem, ir.Shl: expr.OpShl, ir.LShr: expr.OpLShr, ir.AShr: expr.OpAShr,
	ir.And: expr.OpAnd, ir.Or: expr.OpOr, ir.Xor: expr.OpXor}

func (p *Program) constExpr(m *ir.Module, v *ir.Value) (expr.Value, error) {
	if v.Op == ir.GEP {
		return p.constGEP(m, v)
	}
	var xs []expr.Value
	for _, e := range v.Elems {
		if e.Type.Width() == 0 {
			return expr.Value{}, fmt.Errorf("constant expression on %s", e.Type)
		}
		x, err := p.constScalar(m, e)
		if err != nil {
			return expr.Value{}, err
		}
		xs = append(xs, x)
	}
	b := p.Builder
	w, from := v.Type.Width(), v.Elems[0].Type.Width()
	switch v.Op {
	case ir.Trunc, ir.ZExt, ir.PtrToInt, ir.IntToPtr, ir.BitCast:
		if v.Op == ir.BitCast && w != from {
			break
		}
		return xs[0].Mask(w), nil
	case ir.SExt:
		return b.SExt(b.ConstValue(from, xs[0]), w).Value(), nil
	case ir.Select:
		if xs[0].Lo&1 != 0 {
			return xs[1], nil
		}
		return xs[2], nil
	case ir.ICmp:
		e := Compare(b, v.Pred, b.ConstValue(from, xs[0]), b.ConstValue(from, xs[1]))
		return e.Value(), nil
	}
	if op, ok := exprOps[v.Op]; ok && v.Type.Kind == ir.Int && w <= 128 {
		return expr.Apply(op, w, xs[0].Mask(w), xs[1].Mask(w)).Mask(w), nil
	}
	return expr.Value{}, fmt.Errorf("constant expression")
}

func (p *Program) constGEP(m *ir.Module, v *ir.Value) (expr.Value, error) {
	base, err := p.constScalar(m, v.Elems[0])
	if err != nil {
		return expr.Value{}, err
	}
	addr, t := base.Lo, v.SrcType
	for i, e := range v.Elems[1:] {
		x, err := p.constScalar(m, e)
		if err != nil {
			return expr.Value{}, err
		}
		n := signed(x.Lo, e.Type.Width())
		if i == 0 {
			addr += uint64(n) * t.Size()
			continue
		}
		off, elem, err := step(t, n)
		if err != nil {
			return expr.Value{}, err
		}
		addr, t = addr+off, elem
	}
	return expr.Value{Lo: addr & mask(v.Type.Width())}, nil
}

// step goes one index down a type.
func step(t *ir.Type, n int64) (off uint64, elem *ir.Type, err error) {
	switch t.Kind {
	case ir.Array, ir.Vector:
		return uint64(n) * t.Elem.Size(), t.Elem, nil
	case ir.Struct:
		if n >= 0 && n < int64(len(t.Fields)) && !t.Bad() {
			return t.Offset(int(n)), t.Fields[n], nil
		}
	}
	return 0, nil, fmt.Errorf("bad index %d into %s", n, t)
}

func signed(v uint64, w int) int64 {
	if w >= 64 || w == 0 {
		return int64(v)
	}
	return int64(v<<(64-w)) >> (64 - w)
}

// Compare builds an integer comparison.
func Compare(b *expr.Builder, pred ir.Pred, x, y *expr.Expr) *expr.Expr {
	switch pred {
	case ir.EQ:
		return b.Eq(x, y)
	case ir.NE:
		return b.Ne(x, y)
	case ir.UGT:
		return b.Ugt(x, y)
	case ir.UGE:
		return b.Uge(x, y)
	case ir.ULT:
		return b.Ult(x, y)
	case ir.ULE:
		return b.Ule(x, y)
	case ir.SGT:
		return b.Sgt(x, y)
	case ir.SGE:
		return b.Sge(x, y)
	case ir.SLT:
		return b.Slt(x, y)
	}
	return b.Sle(x, y)
}
