package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// Module is one file.
type Module struct {
	Path     string
	Target   *Target
	Globals  []*Global
	Funcs    []*Function
	Aliases  map[string]*Alias
	HasAsm   bool // module-level inline assembly
	X87      bool // numbers with a fraction are computed by the x87, in registers of 80 bits
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
	m = &Module{Path: path, Target: amd64, src: string(text), types: map[string]*Type{}, meta: map[int]metaRef{},
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
			p.features()
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

// features reads of a line of attributes what the code of functions may use. On i386
// it computes with the x87 where there is no SSE2.
func (p *parser) features() {
	line, _, _ := strings.Cut(p.lx.src[p.tok.pos:], "\n")
	if _, list, found := strings.Cut(line, `"target-features"="`); found && p.m.Target.PtrBits == 32 {
		list, _, _ = strings.Cut(list, `"`)
		p.m.X87 = p.m.X87 || !strings.Contains(","+list+",", ",+sse2,")
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
