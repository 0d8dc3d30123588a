package ir

import (
	"strconv"
	"strings"
)

// Blocks reads the function's body, once. The entry block comes first.
func (f *Function) Blocks() ([]*Block, error) {
	if f.parsed || !f.Defined {
		return f.blocks, f.err
	}
	f.parsed = true
	f.blocks, f.err = f.parseBody()
	return f.blocks, f.err
}

func (f *Function) parseBody() (blocks []*Block, err error) {
	p := &parser{m: f.Module, lx: lexer{src: f.Module.src, pos: f.bodyStart, end: f.bodyEnd, line: f.bodyLine}}
	defer catch(&err)
	next := 0 // numbers what has no name
	for i := range f.Params {
		if f.Params[i].Name == "" {
			f.Params[i].Name = strconv.Itoa(next)
		}
		if f.Params[i].Name == strconv.Itoa(next) {
			next++
		}
	}
	p.advance()
	var cur *Block
	if p.tok.kind != tLabel {
		cur = &Block{Name: strconv.Itoa(next)}
		blocks = append(blocks, cur)
	}
	for p.tok.kind != tEOF {
		if p.tok.kind == tLabel {
			cur = &Block{Name: p.tok.text}
			blocks = append(blocks, cur)
			p.advance()
			continue
		}
		if p.tok.kind == tAttr || p.isWord("uselistorder") { // debug record
			p.skipRest()
			continue
		}
		if in := p.instr(); in != nil {
			cur.Instrs = append(cur.Instrs, in)
		}
	}
	if len(blocks) == 0 {
		p.fail("function @%s has an empty body", f.Name)
	}
	for _, b := range blocks {
		if len(b.Instrs) == 0 {
			p.fail("block %%%s of @%s is empty", b.Name, f.Name)
		}
		for i, in := range b.Instrs {
			if term := in.Op >= Ret || in.Op == BadOp; i == len(b.Instrs)-1 && !term {
				p.fail("block %%%s of @%s has no terminator", b.Name, f.Name)
			} else if i < len(b.Instrs)-1 && in.Op >= Ret {
				p.fail("block %%%s of @%s goes on after its terminator", b.Name, f.Name)
			}
		}
	}
	return blocks, nil
}

// instr reads one instruction; nil for a call that only carries debug
// information.
func (p *parser) instr() *Instr {
	in := &Instr{Line: p.tok.line, Dbg: -1, Type: voidType}
	if p.tok.kind == tLocal {
		in.Name = p.tok.text
		p.advance()
		p.expect("=")
	}
	if p.tok.kind != tWord {
		p.fail("expected an instruction, found %q", p.tok.text)
	}
	w := p.tok.text
	switch w {
	case "tail", "musttail", "notail":
		p.advance()
		w = p.tok.text
	}
	op, ok := opNames[w]
	if !ok {
		in.What = "instruction " + w
		in.Type = nil
		p.skipRest()
		return in
	}
	p.advance()
	in.Op = op
	switch {
	case op <= FRem:
		p.flags()
		p.twoOperands(in)
		in.Type = in.Ops[0].Type
	case op == FNeg || op == Freeze:
		p.flags()
		in.Ops = []*Value{p.typedValue()}
		in.Type = in.Ops[0].Type
	case op == ICmp || op == FCmp:
		p.compare(in)
	case op <= BitCast:
		p.flags()
		in.Ops = []*Value{p.typedValue()}
		if !p.acceptWord("to") {
			p.fail("expected 'to' in a cast")
		}
		in.Type = p.typ()
	default:
		p.otherInstr(in)
	}
	if in.Op == Call && isDebugCall(in.Ops[0]) {
		p.tail(in)
		return nil
	}
	p.tail(in)
	if in.Type != nil && (in.Type.Bad() || in.SrcType != nil && in.SrcType.Bad()) {
		p.fail("type of unbounded size")
	}
	return in
}

func isDebugCall(callee *Value) bool {
	return callee.Kind == GlobalRef && (len(callee.Name) > 9 && callee.Name[:9] == "llvm.dbg.")
}

// tail skips alignment, metadata and the like to the end of the line, keeping
// the debug location.
func (p *parser) tail(in *Instr) {
	line := p.last
	for p.tok.kind != tEOF && p.tok.line == line {
		if p.tok.kind == tMeta && p.tok.text == "dbg" {
			p.advance()
			in.Dbg = metaNumber(p.tok)
			continue
		}
		p.advance()
	}
}

// flags skips nuw, nsw, exact, fast-math flags and the like.
func (p *parser) flags() {
	for p.tok.kind == tWord && !typeWord(p.tok.text) {
		p.advance()
	}
}

func (p *parser) twoOperands(in *Instr) {
	a := p.typedValue()
	p.expect(",")
	in.Ops = []*Value{a, p.value(a.Type)}
}

func (p *parser) compare(in *Instr) {
	preds := intPreds
	if in.Op == FCmp {
		preds = floatPreds
	}
	for p.tok.kind == tWord && !typeWord(p.tok.text) {
		if pr, ok := preds[p.tok.text]; ok {
			in.Pred = pr
		}
		p.advance()
	}
	if in.Pred == NoPred {
		p.fail("comparison without a predicate")
	}
	p.twoOperands(in)
	in.Type = p.m.Target.intType(1)
	if t := in.Ops[0].Type; t.Kind == Vector {
		in.Type = &Type{Kind: Vector, Len: t.Len, Elem: p.m.Target.intType(1)}
	}
}

func (p *parser) indices(in *Instr) {
	for p.isPunct(",") {
		p.advance()
		if p.tok.kind != tWord {
			return // metadata follows
		}
		n := p.uint()
		if n > 1<<20 {
			p.fail("index %d is too large", n)
		}
		in.Indices = append(in.Indices, int(n))
	}
}

// element walks a type along constant indices.
func (p *parser) element(t *Type, path []int) *Type {
	for _, i := range path {
		switch {
		case t.Kind == Struct && i < len(t.Fields):
			t = t.Fields[i]
		case t.Kind == Array && uint64(i) < t.Len:
			t = t.Elem
		default:
			p.fail("bad index into %s", t)
		}
	}
	return t
}

// AppendCalls appends the arguments with which the function's text calls another one by
// its name, where there is one argument and it is a number. The body is not parsed.
func (f *Function) AppendCalls(to []uint32, name string) []uint32 {
	body := f.Module.src[f.bodyStart:f.bodyEnd]
	call := "@" + name + "("
	for at := strings.Index(body, call); at >= 0; at = strings.Index(body, call) {
		body = body[at+len(call):]
		args, _, _ := strings.Cut(body, ")")
		if n, err := strconv.ParseUint(args[strings.LastIndexByte(args, ' ')+1:], 10, 32); err == nil {
			to = append(to, uint32(n))
		}
	}
	return to
}
