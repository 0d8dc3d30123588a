package ir

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// valueWord reports whether a word begins an operand rather than names an
// attribute.
func valueWord(w string) bool {
	switch w {
	case "null", "undef", "poison", "true", "false", "zeroinitializer", "none", "asm", "blockaddress",
		"dso_local_equivalent", "no_cfi", "splat":
		return true
	}
	if c := w[0]; c >= '0' && c <= '9' || c == '-' || c == '+' {
		return true
	}
	if strings.HasPrefix(w, "u0x") || strings.HasPrefix(w, "s0x") {
		return true
	}
	return constOp(w)
}

func constOp(w string) bool {
	op, ok := opNames[w]
	return ok && (op <= BitCast || op == GEP || op == Select || op >= ExtractValue && op <= ShuffleVector)
}

// typedValue reads "type value".
func (p *parser) typedValue() *Value { t := p.typ(); return p.value(t) }

// value reads an operand of a known type.
func (p *parser) value(t *Type) *Value {
	p.enter()
	defer p.leave()
	v := &Value{Type: t}
	switch {
	case p.tok.kind == tLocal:
		v.Kind, v.Name = LocalRef, p.tok.text
		p.advance()
	case p.tok.kind == tGlobal:
		v.Kind, v.Name = GlobalRef, p.tok.text
		p.advance()
	case p.tok.kind == tCString:
		v.Kind, v.Str = StringConst, p.tok.text
		if t.Kind != Array || uint64(len(v.Str)) != t.Len || t.Elem.Kind != Int || t.Elem.Bits != 8 {
			p.fail("string constant does not fit %s", t)
		}
		p.advance()
	case p.isPunct("["), p.isPunct("{"):
		p.aggregate(v)
	case p.isPunct("<"):
		p.advance()
		if p.isPunct("{") {
			p.aggregate(v)
			p.expect(">")
			break
		}
		v.Kind = AggregateConst
		v.Elems = p.valueList(">")
		p.checkAggregate(v)
	case p.tok.kind == tWord:
		p.wordValue(v)
	case p.tok.kind == tMeta:
		v.Kind = MetadataValue
		p.advance()
		if p.isPunct("{") || p.isPunct("(") {
			p.skipBalanced()
		}
	default:
		p.fail("expected a value, found %q", p.tok.text)
	}
	return v
}

func (p *parser) aggregate(v *Value) {
	v.Kind = AggregateConst
	closing := "]"
	if p.isPunct("{") {
		closing = "}"
	}
	p.advance()
	v.Elems = p.valueList(closing)
	p.checkAggregate(v)
}

func (p *parser) valueList(closing string) (vs []*Value) {
	for !p.isPunct(closing) {
		vs = append(vs, p.typedValue())
		if !p.accept(",") {
			break
		}
	}
	p.expect(closing)
	return vs
}

func (p *parser) checkAggregate(v *Value) {
	t := v.Type
	ok := false
	switch t.Kind {
	case Array, Vector:
		ok = t.Len == uint64(len(v.Elems))
	case Struct:
		ok = len(t.Fields) == len(v.Elems)
	}
	if !ok {
		p.fail("initialiser does not fit type %s", t)
	}
}

func (p *parser) wordValue(v *Value) {
	w, t := p.tok.text, v.Type
	if constOp(w) {
		p.constExpr(v)
		return
	}
	p.advance()
	switch w {
	case "null", "none":
		v.Kind = Null
	case "undef", "poison":
		v.Kind = Undef
	case "zeroinitializer":
		v.Kind = Zero
	case "true":
		v.Lo = 1
	case "false":
	case "splat":
		p.expect("(")
		e := p.typedValue()
		p.expect(")")
		if t.Kind != Vector || t.Len > 1024 {
			p.fail("splat of type %s", t)
		}
		v.Kind = AggregateConst
		for i := uint64(0); i < t.Len; i++ {
			v.Elems = append(v.Elems, e)
		}
	case "blockaddress":
		v.Kind = BlockAddress
		p.expect("(")
		v.Name = p.tok.text
		p.advance()
		p.expect(",")
		v.Str = p.tok.text
		p.advance()
		p.expect(")")
	case "dso_local_equivalent", "no_cfi":
		*v = *p.value(t)
	case "asm":
		v.Kind = InlineAsm
		for p.tok.kind == tWord {
			p.advance()
		}
		v.Str = p.tok.text
		p.advance()
		p.expect(",")
		v.Name = p.tok.text
		p.advance()
	default:
		p.number(v, w)
	}
}

func (p *parser) number(v *Value, w string) {
	switch v.Type.Kind {
	case Int:
		n, ok := new(big.Int), false
		if strings.HasPrefix(w, "u0x") || strings.HasPrefix(w, "s0x") {
			n, ok = n.SetString(w[3:], 16)
		} else {
			n, ok = n.SetString(w, 10)
		}
		if !ok {
			p.fail("bad integer %q", w)
		}
		if n.Sign() < 0 {
			n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(max(128, v.Type.Bits))))
		}
		if n.Sign() < 0 || n.BitLen() > max(128, v.Type.Bits) {
			p.fail("integer %q is too large", w)
		}
		if v.Type.IsWide() {
			v.Kind = AggregateConst
			for i := 0; i < v.Type.Leaves(); i++ {
				part := new(big.Int).Rsh(n, uint(64*i))
				lo, _ := maskTo(new(big.Int).And(part, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), 0,
					v.Type.limb(i).Bits)
				v.Elems = append(v.Elems, &Value{Type: v.Type.limb(i), Lo: lo})
			}
			return
		}
		v.Lo = new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		v.Hi = new(big.Int).Rsh(n, 64).Uint64()
		v.Lo, v.Hi = maskTo(v.Lo, v.Hi, v.Type.Bits)
	case Float, Double, X86FP80, Half, Quad, OtherFloat:
		v.Kind = FloatConst
		v.Lo, v.Hi = p.float(v.Type, w)
	default:
		p.fail("%q is no value of type %s", w, v.Type)
	}
}

func maskTo(lo, hi uint64, bits int) (uint64, uint64) {
	switch {
	case bits >= 128:
	case bits > 64:
		hi &= 1<<(bits-64) - 1
	case bits == 64:
		hi = 0
	default:
		lo, hi = lo&(1<<bits-1), 0
	}
	return lo, hi
}

// float returns the bits of a floating-point constant. LLVM writes float
// constants as doubles, x86_fp80 ones as 0xK and 20 hex digits, half as 0xH and 4,
// fp128 as 0xL and 32, of which the lower half comes first.
func (p *parser) float(t *Type, w string) (lo, hi uint64) {
	if strings.HasPrefix(w, "0xK") && len(w) == 23 {
		h, err1 := strconv.ParseUint(w[3:7], 16, 64)
		l, err2 := strconv.ParseUint(w[7:], 16, 64)
		if err1 != nil || err2 != nil || t.Kind != X86FP80 {
			p.fail("bad floating-point constant %q", w)
		}
		return l, h
	}
	switch t.Kind {
	case Half, Quad:
		start, digits := "0xH", 4
		if t.Kind == Quad {
			start, digits = "0xL", 16
		}
		h, long := strings.CutPrefix(w, start)
		if long = long && len(h) >= digits; long {
			lo, err1 := strconv.ParseUint(h[:digits], 16, 64)
			hi, err2 := strconv.ParseUint("0"+h[digits:], 16, 64)
			if err1 == nil && err2 == nil && (t.Kind == Quad || hi == 0) {
				return lo, hi
			}
		}
		p.fail("bad floating-point constant %q", w)
	case OtherFloat:
		return 0, 0
	case X86FP80:
		p.fail("bad floating-point constant %q", w)
	}
	var d float64
	if strings.HasPrefix(w, "0x") {
		b, err := strconv.ParseUint(w[2:], 16, 64)
		if err != nil {
			p.fail("bad floating-point constant %q", w)
		}
		if t.Kind == Float {
			return uint64(narrow(b)), 0
		}
		return b, 0
	}
	d, err := strconv.ParseFloat(w, 64)
	if err != nil {
		p.fail("bad floating-point constant %q", w)
	}
	if t.Kind == Float {
		return uint64(math.Float32bits(float32(d))), 0
	}
	return math.Float64bits(d), 0
}

// narrow turns the bits of a double that holds a float exactly into the
// float's bits; a NaN keeps its payload.
func narrow(b uint64) uint32 {
	if b>>52&0x7ff == 0x7ff {
		return uint32(b>>63)<<31 | 0xff<<23 | uint32(b>>29)&(1<<23-1)
	}
	return math.Float32bits(float32(math.Float64frombits(b)))
}

func (p *parser) constExpr(v *Value) {
	v.Kind, v.Op = ExprConst, opNames[p.tok.text]
	p.advance()
	for p.tok.kind == tWord { // flags, predicates
		if pr, ok := intPreds[p.tok.text]; ok && v.Op == ICmp {
			v.Pred = pr
		} else if pr, ok := floatPreds[p.tok.text]; ok && v.Op == FCmp {
			v.Pred = pr
		}
		flag := p.tok.text
		p.advance()
		if flag == "inrange" && p.isPunct("(") {
			p.skipBalanced()
		}
	}
	p.expect("(")
	if v.Op == GEP {
		v.SrcType = p.typ()
		p.expect(",")
	}
	for {
		if p.isWord("inrange") {
			p.advance()
		}
		v.Elems = append(v.Elems, p.typedValue())
		if p.acceptWord("to") {
			p.typ()
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	want := 2
	switch {
	case v.Op >= Trunc && v.Op <= BitCast:
		want = 1
	case v.Op == FNeg:
		want = 1
	case v.Op == GEP:
		want = len(v.Elems)
	case v.Op == Select:
		want = 3
	case v.Op >= Add && v.Op <= FCmp:
	default:
		want = len(v.Elems)
	}
	if len(v.Elems) != want {
		p.fail("constant expression with %d operands", len(v.Elems))
	}
}
