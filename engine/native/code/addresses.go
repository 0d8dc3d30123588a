package code

import "klabel/engine/native/ir"

// fractions reports whether a function has to do with numbers of type float or double.
func fractions(blocks []*ir.Block) bool {
	is := func(t *ir.Type) bool {
		for t != nil && (t.Kind == ir.Vector || t.Kind == ir.Array) {
			t = t.Elem
		}
		return t != nil && t.IsFloat() && t.Kind != ir.X86FP80
	}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			if is(in.Type) {
				return true
			}
			for _, v := range in.Ops {
				if is(v.Type) {
					return true
				}
			}
		}
	}
	return false
}

// addressesAsNumbers reports whether a function does more with the number of an
// address than subtract it from another or compare it: what such code computes
// depends on where objects stand, of which a state knows one way only.
func addressesAsNumbers(blocks []*ir.Block) bool {
	from := map[string]bool{} // results of ptrtoint
	number := func(v *ir.Value) bool {
		return v.Kind == ir.LocalRef && from[v.Name] || v.Kind == ir.ExprConst && v.Op == ir.PtrToInt
	}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			if in.Op == ir.PtrToInt {
				from[in.Name] = true
			}
		}
	}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			for _, v := range in.Ops {
				if !number(v) {
					continue
				}
				switch other := in.Ops[len(in.Ops)-1]; {
				case in.Op == ir.Sub || in.Op == ir.ICmp:
					if other == v {
						other = in.Ops[0]
					}
					if number(other) || in.Op == ir.ICmp && (in.Pred == ir.EQ || in.Pred == ir.NE) &&
						other.Kind == ir.IntConst && other.Lo == 0 {
						continue
					}
				}
				return true
			}
		}
	}
	return false
}
