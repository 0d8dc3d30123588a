package ir

import "strings"

// linkage reads the words that may precede a global or a function's type and
// keeps what matters for linking.
func (p *parser) linkage() (internal, weak, external, externWeak bool) {
	for p.tok.kind == tWord {
		switch p.tok.text {
		case "private", "internal":
			internal = true
		case "weak", "weak_odr", "linkonce", "linkonce_odr", "common":
			weak = true
		case "available_externally":
			weak = true
		case "external":
			external = true
		case "extern_weak":
			external, externWeak = true, true
		case "appending", "dso_local", "dso_preemptable", "default", "hidden", "protected", "dllimport", "dllexport",
			"unnamed_addr", "local_unnamed_addr", "externally_initialized":
		case "thread_local", "addrspace": // there is one thread
			p.advance()
			if p.isPunct("(") {
				p.skipBalanced()
			}
			continue
		default:
			return
		}
		p.advance()
	}
	return
}

func (p *parser) global() {
	g := &Global{Module: p.m, Name: p.tok.text, Line: p.tok.line}
	p.advance()
	p.expect("=")
	var external bool
	g.Internal, g.Weak, external, g.ExternWeak = p.linkage()
	switch {
	case p.isWord("alias"), p.isWord("ifunc"):
		isIfunc := p.isWord("ifunc")
		p.advance()
		p.typ()
		p.expect(",")
		t := p.m.Target.ptr
		if p.tok.kind != tWord || !constOp(p.tok.text) { // before an expression stands no type
			t = p.typ()
		}
		v := p.value(t)
		if !isIfunc {
			p.m.Aliases[g.Name] = &Alias{Aliasee: v, Internal: g.Internal, Weak: g.Weak}
		}
		p.skipTail()
		return
	case p.isWord("global"):
	case p.isWord("constant"):
		g.Constant = true
	default:
		p.fail("expected 'global' or 'constant', found %q", p.tok.text)
	}
	p.advance()
	g.Type = p.typ()
	if !external {
		g.Init = p.value(g.Type)
	}
	for p.accept(",") {
		switch {
		case p.acceptWord("align"):
			g.Align = p.uint()
		case p.acceptWord("section"), p.acceptWord("partition"), p.acceptWord("code_model"):
			p.advance()
		case p.acceptWord("comdat"):
			if p.isPunct("(") {
				p.skipBalanced()
			}
		case p.tok.kind == tMeta:
			p.advance()
			p.advance()
		default:
			p.skipTail()
		}
	}
	p.m.Globals = append(p.m.Globals, g)
}

// skipTail skips the remaining tokens of the line that the last token is on.
func (p *parser) skipTail() {
	line := p.last
	for p.tok.kind != tEOF && p.tok.line == line {
		p.advance()
	}
}

// attributes skips parameter and return attributes and returns the type of a
// byval one.
func (p *parser) attributes() (byval *Type) {
	for {
		switch {
		case p.tok.kind == tString, p.tok.kind == tAttr:
			p.advance()
			if p.accept("=") {
				p.advance()
			}
		case p.tok.kind != tWord || valueWord(p.tok.text):
			return
		case p.isWord("align"):
			p.advance()
			if p.isPunct("(") {
				p.skipBalanced()
			} else {
				p.uint()
			}
		case p.isWord("byval"):
			p.advance()
			if p.accept("(") {
				byval = p.typ()
				p.expect(")")
			}
		default:
			p.advance()
			if p.isPunct("(") {
				p.skipBalanced()
			}
		}
	}
}

// retAttributes skips what may stand between 'define' or 'call' and a type:
// calling conventions and attributes.
func (p *parser) retAttributes() {
	for {
		switch {
		case p.tok.kind == tString:
			p.advance()
			if p.accept("=") {
				p.advance()
			}
		case p.tok.kind != tWord || typeWord(p.tok.text):
			return
		case p.isWord("align"), p.isWord("cc"):
			p.advance()
			if p.isPunct("(") {
				p.skipBalanced()
			} else {
				p.uint()
			}
		default:
			p.advance()
			if p.isPunct("(") {
				p.skipBalanced()
			}
		}
	}
}

func typeWord(w string) bool {
	switch w {
	case "void", "ptr", "float", "double", "x86_fp80", "half", "bfloat", "fp128", "ppc_fp128", "label", "metadata",
		"token", "x86_mmx", "x86_amx":
		return true
	}
	if len(w) < 2 || w[0] != 'i' {
		return false
	}
	for i := 1; i < len(w); i++ {
		if w[i] < '0' || w[i] > '9' {
			return false
		}
	}
	return true
}

func (p *parser) function(defined bool) {
	p.advance()
	f := &Function{Module: p.m, Line: p.tok.line, Dbg: -1, Defined: defined}
	for p.tok.kind == tMeta { // declare !dbg !5 i32 @f()
		p.advance()
		p.advance()
	}
	f.Internal, f.Weak, _, f.ExternWeak = p.linkage()
	p.retAttributes()
	f.Ret = p.typ()
	if p.tok.kind != tGlobal {
		p.fail("expected a function's name, found %q", p.tok.text)
	}
	f.Name = p.tok.text
	p.advance()
	p.expect("(")
	for !p.isPunct(")") {
		if p.tok.kind == tDots {
			f.Variadic = true
			p.advance()
			break
		}
		var a Param
		a.Type = p.typ()
		a.ByVal = p.attributes()
		if p.tok.kind == tLocal {
			a.Name = p.tok.text
			p.advance()
		}
		f.Params = append(f.Params, a)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	line := p.last
	for p.tok.kind != tEOF && !p.isPunct("{") && (defined || p.tok.line == line) {
		if p.tok.kind == tMeta && p.tok.text == "dbg" {
			p.advance()
			f.Dbg = metaNumber(p.tok)
		}
		p.advance()
	}
	p.m.Funcs = append(p.m.Funcs, f)
	if !defined {
		return
	}
	if !p.isPunct("{") {
		p.fail("function @%s has no body", f.Name)
	}
	f.bodyStart, f.bodyLine = p.lx.pos, p.lx.line
	end := strings.Index(p.m.src[p.lx.pos:], "\n}")
	if end < 0 {
		p.fail("function @%s has no end", f.Name)
	}
	f.bodyEnd = p.lx.pos + end
	p.lx.line += strings.Count(p.m.src[p.lx.pos:f.bodyEnd], "\n") + 1
	p.lx.pos = f.bodyEnd + 2
	p.advance()
}

func metaNumber(t token) int {
	if t.kind != tMeta || t.text == "" || len(t.text) > 9 {
		return -1
	}
	n := 0
	for _, c := range t.text {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}
