package ir

import (
	"strconv"
	"strings"
)

func (p *parser) target() {
	p.advance()
	what := p.tok.text
	p.advance()
	p.expect("=")
	if what == "datalayout" {
		if len(p.m.types) > 0 || len(p.m.Globals) > 0 || len(p.m.Funcs) > 0 {
			p.fail("the data layout comes after what depends on it")
		}
		if p.m.Target = targetOf(p.tok.text); p.m.Target == nil {
			p.fail("data layout %q is not supported; compile for x86-64 or i386", p.tok.text)
		}
	}
	p.advance()
}

func (p *parser) typeDef() {
	name := p.tok.text
	p.advance()
	p.expect("=")
	if !p.acceptWord("type") {
		p.fail("expected a type definition")
	}
	t := p.namedType(name)
	if p.acceptWord("opaque") {
		return
	}
	d := p.typ()
	if d == t {
		p.fail("type %%%s is defined by itself", name)
	}
	*t = *d
	t.Name = name
	t.laidOut, t.offsets = false, nil
}

func (p *parser) namedType(name string) *Type {
	t := p.m.types[name]
	if t == nil {
		t = &Type{Kind: Opaque, Name: name}
		p.m.types[name] = t
	}
	return t
}

// typ reads a type.
func (p *parser) typ() *Type {
	p.enter()
	defer p.leave()
	var t *Type
	switch {
	case p.tok.kind == tLocal:
		t = p.namedType(p.tok.text)
		p.advance()
	case p.isPunct("["):
		p.advance()
		n := p.uint()
		if !p.acceptWord("x") {
			p.fail("expected 'x' in an array type")
		}
		t = &Type{Kind: Array, Len: n, Elem: p.typ()}
		p.expect("]")
	case p.isPunct("<"):
		p.advance()
		if p.isPunct("{") {
			t = p.structType()
			t.Packed = true
		} else {
			if p.isWord("vscale") {
				p.fail("scalable vectors are not supported")
			}
			n := p.uint()
			if !p.acceptWord("x") {
				p.fail("expected 'x' in a vector type")
			}
			t = &Type{Kind: Vector, Len: n, Elem: p.typ()}
		}
		p.expect(">")
	case p.isPunct("{"):
		t = p.structType()
	case p.tok.kind == tWord:
		t = p.simpleType()
	default:
		p.fail("expected a type, found %q", p.tok.text)
	}
	return p.typeSuffix(t)
}

func (p *parser) structType() *Type {
	p.expect("{")
	t := &Type{Kind: Struct}
	for !p.isPunct("}") {
		t.Fields = append(t.Fields, p.typ())
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return t
}

func (p *parser) typeSuffix(t *Type) *Type {
	for {
		switch {
		case p.isPunct("*"):
			p.advance()
			t = p.m.Target.ptr
		case p.isWord("addrspace"):
			p.advance()
			p.skipBalanced()
		case p.isPunct("("):
			p.advance()
			f := &Type{Kind: Func, Elem: t}
			for !p.isPunct(")") {
				if p.tok.kind == tDots {
					f.Variadic = true
					p.advance()
					break
				}
				f.Fields = append(f.Fields, p.typ())
				if !p.accept(",") {
					break
				}
			}
			p.expect(")")
			t = f
		default:
			return t
		}
	}
}

func (p *parser) simpleType() *Type {
	w := p.tok.text
	var t *Type
	switch w {
	case "void":
		t = voidType
	case "ptr":
		t = p.m.Target.ptr
	case "float":
		t = p.m.Target.float
	case "double":
		t = p.m.Target.double
	case "x86_fp80":
		t = p.m.Target.fp80
	case "half":
		t = p.m.Target.half
	case "fp128":
		t = p.m.Target.quad
	case "bfloat", "ppc_fp128":
		t = &Type{Kind: OtherFloat}
	case "label":
		t = labelType
	case "metadata":
		t = metadataType
	case "token", "x86_mmx", "x86_amx", "opaque":
		t = &Type{Kind: Opaque, Name: w}
	default:
		if n, err := strconv.Atoi(strings.TrimPrefix(w, "i")); strings.HasPrefix(w, "i") && err == nil && n > 0 &&
			n < 1<<23 {
			t = p.m.Target.intType(n)
		} else {
			p.fail("unknown type %q", w)
		}
	}
	p.advance()
	return t
}
