package drivers

import (
	"fmt"
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"klabel/input"
	"klabel/runtime_c"
)

// prototypes of what drivers call, for units that do not include klee.h.
var prototypes = []struct{ name, decl string }{
	{"klee_make_symbolic", "void klee_make_symbolic(void *, %s, const char *);"},
	{"klee_assume", "void klee_assume(%s);"},
	{"klee_is_replay", "unsigned klee_is_replay(void);"},
	{"klee_silent_exit", "void klee_silent_exit(int) __attribute__((noreturn));"},
	{"klabel_entry_end", "void klabel_entry_end(void);"},
	{"malloc", "void *malloc(%s);"},
	{"calloc", "void *calloc(%s, %s);"},
	{"realloc", "void *realloc(void *, %s);"},
	{"free", "void free(void *);"},
	{"fmemopen", "void *fmemopen(void *, %s, const char *);"},
	{"tmpfile", "void *tmpfile(void);"},
	{"fopen", "void *fopen(const char *, const char *);"},
	{"fwrite", "%s fwrite(const void *, %s, %s, void *);"},
	{"fclose", "int fclose(void *);"},
	{"rewind", "void rewind(void *);"},
	{"exit", "void exit(int) __attribute__((noreturn));"},
	{"__assert_fail", "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));"},
}

// helpers are the functions that the driver's main function uses, with their
// files in runtime_c/driver.
var helpers = []struct{ name, file string }{
	{"klabel_byte", "byte.c"}, {"klabel_choose", "choose.c"}, {"klabel_exact", "exact.c"},
	{"klabel_require", "require.c"}, {"klabel_stream", "stream.c"}, {"klabel_file", "file.c"},
	{"klabel_told", "told.c"}, {"klabel_fail_on_streams", "streams.c"},
}

// program puts what is shared in front of entries.
func (s *shared) program(entries string) string {
	rest := s.text.String() + entries
	if strings.Contains(entries, "klabel_failing") {
		rest = failing() + rest
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# 1 %s\n", quote("shared by the drivers"))
	var used []string
	for _, h := range helpers {
		if strings.Contains(rest, h.name+"(") {
			used = append(used, runtime_c.Text("driver/"+h.file))
		}
	}
	text := strings.Join(used, "\n") + rest
	word := "unsigned long"
	if s.pointerSize() == 4 {
		word = "unsigned int"
	}
	for _, p := range prototypes {
		if !mentions(text, p.name) {
			continue
		}
		if _, declared := s.unit.AST.Scope.Nodes[p.name]; declared {
			continue
		}
		decl := p.decl
		if strings.Contains(decl, "%s") {
			decl = strings.ReplaceAll(decl, "%s", word)
		}
		out.WriteString(decl + "\n")
	}
	out.WriteString("\n")
	for _, h := range used {
		out.WriteString(h + "\n")
	}
	return plain(out.String() + rest)
}

// plain writes (*p).f as p->f, &(*p) as p, and takes parentheses off that
// nothing needs.
func plain(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for line := range strings.Lines(text) {
		if followsPointer(line) { // few do, and matching takes its time
			for _, r := range replacements {
				line = r.from.ReplaceAllString(line, r.to)
			}
		}
		out.WriteString(line)
	}
	return out.String()
}

// followsPointer reports whether a line has (*p) with what all replacements want
// behind it.
func followsPointer(line string) bool {
	for {
		_, behind, ok := strings.Cut(line, "(*")
		if !ok {
			return false
		}
		end := strings.TrimLeft(behind, letters)
		if len(end) > 1 && len(end) < len(behind) && end[0] == ')' && strings.IndexByte(",;).", end[1]) >= 0 {
			return true
		}
		line = behind
	}
}

// letters are those of identifiers.
const letters = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

var replacements = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`&\(\*([A-Za-z_]\w*)\)([,;)])`), "$1$2"},
	{regexp.MustCompile(`\(\*([A-Za-z_]\w*)\)\.`), "$1->"},
	{regexp.MustCompile(`([=(,] |sizeof |\()\((\*[A-Za-z_]\w*)\)([,;)])`), "$1$2$3"},
	{regexp.MustCompile(`(    [A-Za-z_][\w *]*?)\((\*[A-Za-z_]\w*)\);`), "$1$2;"},
}

// insertGlobals puts the call that sets globals behind the declarations.
func (b *builder) insertGlobals(main, globals string) string {
	if globals == "" {
		return main
	}
	decls := b.cur.decls.String()
	if decls == "" {
		return globals + main
	}
	return decls + "\n" + globals + b.cur.body.String()
}

func (s *shared) pointerSize() int64 {
	for _, f := range s.unit.Functions() {
		if f.Type != nil {
			return f.Type.Pointer().Size()
		}
	}
	return 8
}

// mainArguments builds a command line: the program's name and at most as many
// arguments as Options.SymArgs has lengths.
func (b *builder) mainArguments(params []param, desc *input.Driver) error {
	if len(params) == 0 {
		return nil
	}
	if len(params) < 2 || !cc.IsIntegerType(params[0].typ) || params[1].typ.Kind() != cc.Ptr {
		return &TypeError{"main", params[0].name, b.ts.name(params[0].typ),
			"and klabel gives main an argc and an argv alone"}
	}
	n := len(b.o.SymArgs)
	argc, argv := params[0].local, params[1].local
	b.cur.declare("int " + argc + " = 1")
	b.cur.declare(fmt.Sprintf("char *%s[%d] = {\"program\"}", argv, n+2))
	args := &input.Input{Name: "argc", Type: &input.Type{Kind: input.Int, Decl: "int @", Size: 4, Signed: true}}
	if n > 0 {
		args.Object = "argc"
		b.cur.line("%s = 1 + klabel_choose(\"argc\", %d);", argc, n+1)
		for i := 0; i <= n; i++ {
			args.Picks = append(args.Picks, input.Pick{Text: fmt.Sprint(i + 1), Value: float64(i + 1)})
		}
	}
	desc.Inputs = append(desc.Inputs, args)
	list := &input.Input{Name: "argv", Type: &input.Type{Kind: input.Pointer, Decl: "char **@", Size: 8}}
	for i, length := range b.o.SymArgs {
		v := b.ident(fmt.Sprintf("argv_%d", i+1), "_text")
		name := fmt.Sprintf("argv[%d]", i+1)
		b.cur.declare(fmt.Sprintf("char %s[%d]", v, length+1))
		b.cur.line("klee_make_symbolic(%s, sizeof %s, %s);", v, v, quote(name))
		b.cur.line("%s[%d] = 0;", v, length)
		b.cur.line("if (%s > %d)", argc, i+1)
		b.cur.line("    %s[%d] = %s;", argv, i+1, v)
		list.Parts = append(list.Parts, input.Part{Path: fmt.Sprintf("[%d]", i+1), Offset: -1, Input: &input.Input{
			Name: name, Object: name, Text: true,
			Type: &input.Type{Kind: input.Array, Decl: fmt.Sprintf("char @[%d]", length+1), Size: int64(length) + 1,
				Len:  int64(length) + 1,
				Elem: &input.Type{Kind: input.Int, Decl: "char @", Size: 1, Signed: true, Char: true}},
		}})
	}
	for i := 2; i < len(params); i++ {
		b.cur.declare("char *" + params[i].local + "[1] = {0}")
	}
	desc.Inputs = append(desc.Inputs, list)
	return nil
}

// mentions reports whether C holds a name as a word.
func mentions(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		if (at == 0 || !wordByte(text[at-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
		at = end
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
