package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// Module is one file.
type Module struct {
	Path     string
	Globals  []*Global
	Funcs    []*Function
	Aliases  map[string]*Alias
	HasAsm   bool // module-level inline assembly
	Lines    int
	src      string
	types    map[string]*Type
	meta     map[int]metaRef
	metaLocs map[int]Location
}

type metaRef struct{ start, end int }

// ParseError is a mistake in the text.
type ParseError struct {
	Path string
	Line int
	Msg  string
}

func (e *ParseError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Msg) }

// parser reads one module or one body. Mistakes leave through a panic with a
// *ParseError, which catch turns into an error at the package's border.
type parser struct {
	m     *Module
	lx    lexer
	tok   token
	last  int // line of the token before tok
	depth int
}

func (p *parser) fail(format string, args ...any) {
	panic(&ParseError{Path: p.m.Path, Line: p.tok.line, Msg: fmt.Sprintf(format, args...)})
}

func catch(err *error) {
	switch e := recover().(type) {
	case nil:
	case *ParseError:
		*err = e
	default:
		panic(e)
	}
}

func (p *parser) advance() {
	p.last = p.tok.line
	p.tok = p.lx.next()
}

func (p *parser) isWord(w string) bool  { return p.tok.kind == tWord && p.tok.text == w }
func (p *parser) isPunct(c string) bool { return p.tok.kind == tPunct && p.tok.text == c }

func (p *parser) accept(c string) bool {
	if p.isPunct(c) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) acceptWord(w string) bool {
	if p.isWord(w) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(c string) {
	if !p.accept(c) {
		p.fail("expected %q, found %q", c, p.tok.text)
	}
}

func (p *parser) enter() {
	if p.depth++; p.depth > 400 {
		p.fail("nested too deeply")
	}
}

func (p *parser) leave() { p.depth-- }

// skipBalanced skips a parenthesised group whose opening bracket is next.
func (p *parser) skipBalanced() {
	depth := 0
	for {
		switch {
		case p.tok.kind == tEOF:
			p.fail("unbalanced brackets")
		case p.tok.kind == tPunct && strings.Contains("([{", p.tok.text):
			depth++
		case p.tok.kind == tPunct && strings.Contains(")]}", p.tok.text):
			depth--
		}
		p.advance()
		if depth == 0 {
			return
		}
	}
}

// skipRest skips to the first token of the next line.
func (p *parser) skipRest() {
	line := p.tok.line
	for p.tok.kind != tEOF && p.tok.line == line {
		p.advance()
	}
}

func (p *parser) uint() uint64 {
	n, err := strconv.ParseUint(p.tok.text, 10, 64)
	if p.tok.kind != tWord || err != nil {
		p.fail("expected a number, found %q", p.tok.text)
	}
	p.advance()
	return n
}

// Parse reads a module. Bodies of functions are checked when they are asked
// for.
func Parse(path string, text []byte) (m *Module, err error) {
	m = &Module{Path: path, src: string(text), types: map[string]*Type{}, meta: map[int]metaRef{},
		Aliases: map[string]*Alias{}, metaLocs: map[int]Location{}}
	p := &parser{m: m, lx: lexer{src: m.src, end: len(m.src), line: 1}}
	defer catch(&err)
	p.advance()
	for p.tok.kind != tEOF {
		p.topLevel()
	}
	m.Lines = p.lx.line
	for name, t := range m.types {
		if t.Kind == Struct && t.Bad() {
			return nil, &ParseError{path, 1, "type %" + name + " contains itself or is too large"}
		}
	}
	for _, g := range m.Globals {
		if g.Type.Bad() {
			return nil, &ParseError{path, g.Line, "global @" + g.Name + " is too large"}
		}
	}
	return m, nil
}

func (p *parser) topLevel() {
	t := p.tok
	switch t.kind {
	case tMeta:
		p.metadataLine(t)
	case tLocal:
		p.typeDef()
	case tGlobal:
		p.global()
	case tAttr, tComdat:
		p.skipRest()
	case tWord:
		switch t.text {
		case "define":
			p.function(true)
		case "declare":
			p.function(false)
		case "target":
			p.target()
		case "module":
			p.m.HasAsm = true
			p.skipRest()
		case "source_filename":
			p.skipRest()
		case "attributes":
			p.skipRest()
		case "uselistorder", "uselistorder_bb":
			p.skipRest()
		default:
			p.fail("unexpected %q at the top level: is this LLVM IR?", t.text)
		}
	case tPunct:
		if t.text == "^" { // summary
			p.skipRest()
			return
		}
		p.fail("unexpected %q at the top level: is this LLVM IR?", t.text)
	default:
		p.fail("unexpected text at the top level: is this LLVM IR?")
	}
}

func (p *parser) metadataLine(t token) {
	start := p.tok.pos
	p.lx.pos = start
	p.lx.skipLine()
	if n, err := strconv.Atoi(t.text); err == nil && n >= 0 {
		p.m.meta[n] = metaRef{start, p.lx.pos}
	}
	p.advance()
}

func (p *parser) target() {
	p.advance()
	what := p.tok.text
	p.advance()
	p.expect("=")
	if what == "datalayout" && (!strings.HasPrefix(p.tok.text, "e") || strings.Contains(p.tok.text, "-p:32")) &&
		p.tok.text != "" {
		p.fail("data layout %q is not supported; compile for x86-64", p.tok.text)
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
			t = ptrType
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
		t = ptrType
	case "float":
		t = floatType
	case "double":
		t = doubleType
	case "x86_fp80":
		t = fp80Type
	case "half", "bfloat", "fp128", "ppc_fp128":
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
			t = IntType(n)
		} else {
			p.fail("unknown type %q", w)
		}
	}
	p.advance()
	return t
}
