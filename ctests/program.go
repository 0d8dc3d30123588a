package ctests

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"klabel/input"
	"klabel/ktest"
)

// writeProgram writes a test for a program with a main function of its own: it
// gives the inputs by name, in order, and runs the program.
func writeProgram(c Case, o Options, variables []string) (*written, error) {
	w := newBody()
	vars, test := c.Test.StripChoices().Variables()
	w.variables(vars, variables)
	t := &written{Case: c, name: "main", expect: map[int]string{}, call: programMain + "()"}
	line := newCommandLine(c.Test, o.MainParams)
	var rest []ktest.Object
	for _, obj := range test.Objects {
		if !line.take(w, obj) {
			rest = append(rest, obj)
		}
	}
	if err := w.give(rest, o); err != nil {
		return nil, err
	}
	t.call = line.call(w)
	t.before, t.gives, t.stdin = inFolder[o.Filing["main"]]+w.out.String(), len(rest) > 0, line.stdin
	return t, nil
}

// commandLine collects what klabel's engines give a program through its
// arguments and its standard input.
type commandLine struct {
	params int
	fixed  []string // arguments that are not symbolic
	given  []string // C of the symbolic ones
	most   int      // how many of them there are, -1 for all
	stdin  bool     // the standard input is given, too
	length int      // of it, at most; -1: all of it
	files  bool     // objects are files
}

func newCommandLine(t *ktest.Test, params int) *commandLine {
	l := &commandLine{params: params, most: -1, length: -1}
	for i := 1; i < len(t.Args); i++ {
		a := strings.TrimLeft(t.Args[i], "-")
		if n, ok := symbolicOptions[a]; ok && strings.HasPrefix(t.Args[i], "-") {
			i += n
			l.files = l.files || a == "sym-files"
			continue
		}
		l.fixed = append(l.fixed, text([]byte(t.Args[i])))
	}
	return l
}

// symbolicOptions are KLEE's options for symbolic input, with the number of
// their operands.
var symbolicOptions = map[string]int{"sym-arg": 1, "sym-args": 3, "sym-files": 2, "sym-stdin": 1,
	"sym-stdin-upto": 1, "sym-stdout": 0,
	"save-all-writes": 0, "fd-fail": 0, "max-fail": 1, "bout-file": 1}

var (
	argumentName = regexp.MustCompile(`^arg[0-9]+$`)
	fileName     = regexp.MustCompile(`^[A-Z][-_]data$`)
)

// contents shows what a program reads: text as text, a line of it a line, other bytes
// as numbers.
func contents(b []byte) string {
	odd := 0
	for _, c := range b {
		if c >= 127 || c < 32 && c != '\n' && c != '\t' && c != '\r' {
			odd++
		}
	}
	if odd > len(b)/4 {
		return "(const unsigned char[]){" + byteList(b) + "}"
	}
	var lines []string
	for line := range bytes.Lines(b) {
		lines = append(lines, text(line))
	}
	if len(lines) < 2 {
		return text(b)
	}
	return strings.Join(lines, "\n        ")
}

// take keeps an object that belongs to the command line.
func (l *commandLine) take(w *body, o ktest.Object) bool {
	end := strings.IndexByte(string(o.Data)+"\x00", 0)
	switch {
	case o.Name == "n_args":
		l.most = int(input.Integer(o.Data, true))
	case argumentName.MatchString(o.Name) && l.params > 0:
		name := w.ident(o.Name)
		w.line("char %s[] = %s;", name, text(o.Data[:end]))
		l.given = append(l.given, name)
	case o.Name == "stdin_size":
		l.length = int(input.Integer(o.Data, true))
	case o.Name == "stdin":
		l.stdin = true
		n := len(o.Data)
		if l.length >= 0 {
			n = min(n, l.length)
		}
		w.line("klabel_give_stdin(%s, %d);", contents(o.Data[:n]), n)
	case l.files && fileName.MatchString(o.Name):
		w.line("klabel_give_file(\"%s\", %s, %d);", o.Name[:1], contents(o.Data), len(o.Data))
	case o.Name == "model_version", strings.HasSuffix(o.Name, "stat") &&
		(strings.HasPrefix(o.Name, "stdin") || strings.Contains(o.Name, "data")):
	default:
		return false
	}
	return true
}

// call writes the call of the program's main function.
func (l *commandLine) call(w *body) string {
	if l.params == 0 {
		return programMain + "()"
	}
	list := []string{`"program"`}
	list = append(list, l.fixed...)
	if l.most >= 0 && l.most < len(l.given) {
		l.given = l.given[:l.most]
	}
	list = append(list, l.given...)
	w.line("char *argv[] = {%s, NULL};", strings.Join(list, ", "))
	switch l.params {
	case 1:
		return fmt.Sprintf("%s(%d)", programMain, len(list))
	case 2:
		return fmt.Sprintf("%s(%d, argv)", programMain, len(list))
	}
	return fmt.Sprintf("%s(%d, argv, (char *[]){NULL})", programMain, len(list))
}

// give declares inputs that the program asks for by name, and hands them over.
func (w *body) give(objects []ktest.Object, o Options) error {
	var lines []string
	for _, obj := range objects {
		typ := o.Objects[obj.Name]
		if typ == nil || typ.Size != int64(len(obj.Data)) || typ.Kind == input.Pointer {
			typ = bytesType(int64(len(obj.Data)))
		}
		v := &input.Value{Input: &input.Input{Name: obj.Name, Type: typ, Object: obj.Name,
			Mask: typ.Kind == input.Bool}, Bytes: obj.Data}
		if v.Mask && len(v.Bytes) > 0 {
			v.Bytes = []byte{v.Bytes[0] & 1}
		}
		name := w.ident(strings.TrimPrefix(obj.Name, "__VERIFIER_"))
		if err := w.declare(name, typ, v, nil); err != nil {
			return err
		}
		at := "&" + name
		if typ.Kind == input.Array {
			at = name
		}
		lines = append(lines, fmt.Sprintf("klabel_give(%q, %s, sizeof %s);", obj.Name, at, name))
	}
	if len(lines) > 0 {
		w.out.WriteByte('\n')
	}
	for _, l := range lines {
		w.line("%s", l)
	}
	return nil
}

func bytesType(n int64) *input.Type {
	return &input.Type{Kind: input.Array, Decl: fmt.Sprintf("unsigned char @[%d]", n), Size: n, Len: n,
		Elem: &input.Type{Kind: input.Int, Decl: "unsigned char @", Size: 1, Char: true}}
}

// nondet defines the functions of the field's competitions that ask for an
// input, as far as the program uses them.
func nondet(o Options) string {
	objects := o.Objects
	var names []string
	for n := range objects {
		if strings.HasPrefix(n, "__VERIFIER_nondet_") && !o.Defines[n] {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	var s strings.Builder
	for _, n := range names {
		fmt.Fprintf(&s, "%s\n{\n    %s;\n\n    klabel_take(&x, sizeof x, %q);\n    return x;\n}\n\n",
			objects[n].Declare(n+"(void)"), objects[n].Declare("x"), n)
	}
	return s.String()
}
