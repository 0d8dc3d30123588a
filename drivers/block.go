package drivers

import (
	"fmt"
	"strings"
)

// block collects the declarations and statements of one C function.
type block struct {
	decls  strings.Builder
	body   strings.Builder
	indent int
	static bool // its variables outlive the call
}

func newBlock(static bool) *block { return &block{indent: 1, static: static} }

func (b *block) declare(text string) {
	b.decls.WriteString("    ")
	if b.static {
		b.decls.WriteString("static ")
	}
	b.decls.WriteString(text + ";\n")
}

// room declares the memory that a pointer shall lead to and returns C for it:
// a variable, or memory from malloc.
func (b *block) room(decl func(name string) (string, error), name string, heap, zeroed bool) (string, error) {
	if heap {
		name = "(*" + name + ")"
	}
	text, err := decl(name)
	if err != nil {
		return "", err
	}
	b.declare(text)
	switch {
	case heap && zeroed:
		b.line("%s = calloc(1, sizeof %s);", strings.Trim(name, "(*)"), name)
	case heap:
		b.line("%s = malloc(sizeof %s);", strings.Trim(name, "(*)"), name)
	case zeroed:
		b.line("__builtin_memset(%s, 0, sizeof %s);", name, name)
	}
	return name, nil
}

func (b *block) line(format string, a ...any) {
	b.body.WriteString(strings.Repeat("    ", b.indent))
	fmt.Fprintf(&b.body, format, a...)
	b.body.WriteByte('\n')
}

func (b *block) open(format string, a ...any) {
	b.line(strings.TrimPrefix(format+" {", " "), a...)
	b.indent++
}

func (b *block) close(rest string) {
	b.indent--
	b.line("}%s", rest)
}

// assume joins conditions into as few assumptions as stay readable.
func (b *block) assume(conds []string) {
	for len(conds) > 0 {
		n := min(len(conds), 8)
		if n == 1 {
			b.line("klee_assume(%s);", bare(conds[0]))
		} else {
			b.line("klee_assume(%s);", strings.Join(conds[:n], " & "))
		}
		conds = conds[n:]
	}
}

// bare takes the outer parentheses off, when they are a pair.
func bare(s string) string {
	if len(s) < 2 || s[0] != '(' || s[len(s)-1] != ')' {
		return s
	}
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(s)-1 {
			return s
		}
	}
	return s[1 : len(s)-1]
}

// mark remembers how far the block is; back forgets what came after.
func (b *block) mark() (m [2]string) { return [2]string{b.decls.String(), b.body.String()} }

func (b *block) back(m [2]string) {
	b.decls.Reset()
	b.body.Reset()
	b.decls.WriteString(m[0])
	b.body.WriteString(m[1])
}

// text is the block as the inside of a function.
func (b *block) text() string {
	if b.decls.Len() == 0 {
		return b.body.String()
	}
	return b.decls.String() + "\n" + b.body.String()
}
