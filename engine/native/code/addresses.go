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
				if in.Op == ir.Phi && placed(v) { // elsewhere it is said where it is used
					return true
				}
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

// placed reports whether a constant depends on where objects stand: clang leaves
// what it computes of addresses to the linker.
func placed(v *ir.Value) bool {
	if v.Kind != ir.ExprConst {
		return false
	}
	var symbols []string
	for _, e := range v.Elems {
		if placed(e) {
			return true
		}
		symbols = symbolsIn(symbols, e)
	}
	switch v.Op {
	case ir.GEP:
		return len(symbolsIn(nil, v.Elems[0])) < len(symbols) // an address is an index
	case ir.BitCast, ir.PtrToInt, ir.IntToPtr:
		return false
	}
	return len(symbolsIn(nil, v)) > 0
}

// withNull reports whether a constant says whether an address is NULL, wherever it is.
func withNull(v *ir.Value) bool {
	none := func(v *ir.Value) bool { return v.Kind == ir.Null || v.Kind == ir.IntConst && v.Lo == 0 }
	return v.Op == ir.ICmp && (v.Pred == ir.EQ || v.Pred == ir.NE) && (none(v.Elems[0]) || none(v.Elems[1]))
}

// symbolsIn adds the symbols whose addresses a constant is made of.
func symbolsIn(to []string, v *ir.Value) []string {
	switch v.Kind {
	case ir.GlobalRef, ir.BlockAddress:
		return append(to, v.Name)
	case ir.ExprConst:
		if withNull(v) {
			return to
		}
		n := len(to)
		for _, e := range v.Elems {
			to = symbolsIn(to, e)
		}
		if (v.Op == ir.Sub || v.Op == ir.ICmp) && len(to) == n+2 && to[n] == to[n+1] {
			return to[:n] // within one object
		}
	}
	return to
}
