package ir

// otherInstr reads the instructions that are not a plain operation on values.
func (p *parser) otherInstr(in *Instr) {
	switch in.Op {
	case Alloca:
		p.acceptWord("inalloca")
		in.SrcType, in.Type = p.typ(), p.m.Target.ptr
		for p.accept(",") {
			if p.tok.kind == tMeta {
				return
			}
			if p.acceptWord("align") || p.acceptWord("addrspace") {
				in.Indices = []int{int(min(p.alignment(), 1<<20))}
				continue
			}
			in.Ops = []*Value{p.typedValue()}
		}
	case Load:
		p.memoryFlags()
		in.Type = p.typ()
		p.expect(",")
		in.Ops = []*Value{p.typedValue()}
	case Store:
		p.memoryFlags()
		v := p.typedValue()
		p.expect(",")
		in.Ops = []*Value{v, p.typedValue()}
	case GEP:
		p.elementFlags()
		in.SrcType, in.Type = p.typ(), p.m.Target.ptr
		for p.accept(",") {
			if p.tok.kind == tMeta {
				break
			}
			in.Ops = append(in.Ops, p.typedValue())
		}
		if len(in.Ops) == 0 {
			p.fail("getelementptr without a base")
		}
		if in.Ops[0].Type.Kind == Vector {
			in.Op, in.What = BadOp, "vector getelementptr"
		}
	case Select:
		p.flags()
		c := p.typedValue()
		p.expect(",")
		a := p.typedValue()
		p.expect(",")
		in.Ops, in.Type = []*Value{c, a, p.typedValue()}, a.Type
	case Phi:
		p.phi(in)
	case Call:
		p.call(in)
	case ExtractValue, InsertValue:
		a := p.typedValue()
		in.Ops = []*Value{a}
		if in.Op == InsertValue {
			p.expect(",")
			in.Ops = append(in.Ops, p.typedValue())
		}
		p.indices(in)
		t := p.element(a.Type, in.Indices)
		in.Type = t
		if in.Op == InsertValue {
			in.Type = a.Type
		}
	case ExtractElement, InsertElement, ShuffleVector:
		p.vector(in)
	case VAArg:
		a := p.typedValue()
		p.expect(",")
		in.Ops, in.Type = []*Value{a}, p.typ()
	case CmpXchg, AtomicRMW:
		p.atomic(in)
	case Fence:
		p.skipTailHere()
	default:
		p.terminator(in)
	}
}

// skipTailHere skips from the current token to the line's end.
func (p *parser) skipTailHere() {
	line := p.last
	for p.tok.kind != tEOF && p.tok.line == line && p.tok.kind != tMeta {
		p.advance()
	}
}

func (p *parser) alignment() uint64 {
	if p.isPunct("(") {
		p.skipBalanced()
		return 0
	}
	return p.uint()
}

func (p *parser) memoryFlags() {
	for p.isWord("volatile") || p.isWord("atomic") {
		p.advance()
	}
}

// elementFlags skips the flags of getelementptr: inbounds, nuw, nusw, inrange(...).
func (p *parser) elementFlags() {
	for p.tok.kind == tWord && !typeWord(p.tok.text) {
		p.advance()
		if p.isPunct("(") {
			p.skipBalanced()
		}
	}
}

func (p *parser) phi(in *Instr) {
	p.flags()
	in.Type = p.typ()
	for {
		p.expect("[")
		in.Ops = append(in.Ops, p.value(in.Type))
		p.expect(",")
		if p.tok.kind != tLocal {
			p.fail("expected a block in a phi")
		}
		in.Blocks = append(in.Blocks, p.tok.text)
		p.advance()
		p.expect("]")
		if !p.isPunct(",") {
			return
		}
		p.advance()
		if !p.isPunct("[") {
			return
		}
	}
}

func (p *parser) call(in *Instr) {
	p.retAttributes()
	t := p.typ()
	in.Type = t
	if t.Kind == Func {
		in.SrcType, in.Type = t, t.Elem
	}
	callee := p.value(p.m.Target.ptr)
	p.expect("(")
	ops := []*Value{callee}
	byval := []*Type{nil}
	any := false
	for !p.isPunct(")") {
		at := p.typ()
		if at.Kind == MetadataType {
			p.metadataArg()
			ops = append(ops, &Value{Kind: MetadataValue, Type: at})
			byval = append(byval, nil)
		} else {
			bv := p.attributes()
			any = any || bv != nil
			ops = append(ops, p.value(at))
			byval = append(byval, bv)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	in.Ops = ops
	if any {
		in.ByVal = byval[1:]
	}
}

func (p *parser) metadataArg() {
	if p.tok.kind == tMeta {
		p.advance()
		if p.isPunct("(") || p.isPunct("{") {
			p.skipBalanced()
		}
		return
	}
	p.typedValue()
}

func (p *parser) vector(in *Instr) {
	a := p.typedValue()
	if a.Type.Kind != Vector {
		p.fail("vector operation on %s", a.Type)
	}
	p.expect(",")
	b := p.typedValue()
	in.Ops, in.Type = []*Value{a, b}, a.Type
	if in.Op == ExtractElement {
		in.Type = a.Type.Elem
		return
	}
	p.expect(",")
	c := p.typedValue()
	in.Ops = append(in.Ops, c)
	if in.Op == ShuffleVector {
		if c.Type.Kind != Vector {
			p.fail("shufflevector with a mask of type %s", c.Type)
		}
		in.Type = &Type{Kind: Vector, Len: c.Type.Len, Elem: a.Type.Elem}
	}
}

func (p *parser) atomic(in *Instr) {
	for p.isWord("weak") || p.isWord("volatile") {
		p.advance()
	}
	if in.Op == AtomicRMW {
		in.What = p.tok.text
		p.advance()
		p.memoryFlags()
	}
	ptr := p.typedValue()
	p.expect(",")
	v := p.typedValue()
	in.Ops, in.Type = []*Value{ptr, v}, v.Type
	if in.Op == CmpXchg {
		p.expect(",")
		in.Ops = append(in.Ops, p.typedValue())
		in.Type = &Type{Kind: Struct, Fields: []*Type{v.Type, p.m.Target.intType(1)}}
	}
}

func (p *parser) target1() string {
	if t := p.typ(); t.Kind != LabelType || p.tok.kind != tLocal {
		p.fail("expected a block")
	}
	name := p.tok.text
	p.advance()
	return name
}

func (p *parser) terminator(in *Instr) {
	switch in.Op {
	case Ret:
		if t := p.typ(); t.Kind != Void {
			in.Ops = []*Value{p.value(t)}
		}
	case Br:
		if p.isWord("label") {
			in.Blocks = []string{p.target1()}
			return
		}
		in.Op = CondBr
		in.Ops = []*Value{p.typedValue()}
		p.expect(",")
		yes := p.target1()
		p.expect(",")
		in.Blocks = []string{yes, p.target1()}
	case Switch:
		in.Ops = []*Value{p.typedValue()}
		p.expect(",")
		in.Blocks = []string{p.target1()}
		p.expect("[")
		for !p.isPunct("]") {
			in.Ops = append(in.Ops, p.typedValue())
			p.expect(",")
			in.Blocks = append(in.Blocks, p.target1())
		}
		p.expect("]")
	case IndirectBr:
		in.Ops = []*Value{p.typedValue()}
		p.expect(",")
		p.expect("[")
		for !p.isPunct("]") {
			in.Blocks = append(in.Blocks, p.target1())
			if !p.accept(",") {
				break
			}
		}
		p.expect("]")
	case Unreachable:
	default:
		p.fail("instruction not expected here")
	}
}
