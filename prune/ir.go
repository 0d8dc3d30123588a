package prune

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// irText makes unoptimised LLVM assembly safe to optimise for proofs: what
// LLVM may assume beyond what a replay shows is taken out. It refuses texts
// with constructs for which that is not possible.
//
//   - a local variable holds anything before it is assigned, not "undef", which
//     the optimiser would choose as it likes;
//   - exact, inbounds, noundef and alignments are dropped: they assume absence
//     of what a replay does not report;
//   - what the program promises and nobody checks (pure, const, malloc,
//     __builtin_assume, ...) is dropped, and what depends on how far a compiler
//     looks (__builtin_constant_p, __builtin_object_size) becomes unknown;
//   - functions of the C library that touch nothing of the program's but their
//     arguments are said to do so.
func irText(text string, from reach, o irOptions) (string, error) {
	for _, h := range irHazards {
		if h.find(text) {
			return "", standBack("%s", h.why)
		}
	}
	ir := &irWriter{opaque: !strings.Contains(text, "i8*"), major: o.major, types: map[string]string{},
		declared: map[string]bool{}, defined: o.defined, reach: from,
		errno: strings.Contains(text, "@__errno_location")}
	lines := strings.Split(text, "\n")
	for _, l := range lines {
		if m := reType.FindStringSubmatch(l); m != nil {
			ir.types[m[1]] = m[2]
		}
	}
	if from == reachMain && (strings.Contains(text, "= alias ") || strings.Contains(text, " ifunc ")) {
		ir.reach = reachExtern
	}
	if from == reachAll {
		ir.readOnly = readOnly(lines)
	}
	for _, l := range lines {
		ir.line(l)
	}
	if !ir.declared["klabel_any"] {
		ir.out.WriteString(ir.anyDecl())
	}
	if ir.needHavoc {
		fmt.Fprintf(&ir.out, "declare void @klabel_havoc(%s)\n", ir.ptr("i8"))
	}
	for _, t := range sortedKeys(ir.unknowns) {
		fmt.Fprintf(&ir.out, "declare %s @klabel_unknown_%s() %s nounwind willreturn\n", t, t, ir.inner())
	}
	if ir.memcpy != "" && !ir.declared[ir.memcpyName()] {
		ir.out.WriteString(ir.memcpy)
	}
	return ir.out.String(), nil
}

// reach says from where a unit's functions are called and its variables seen.
type reach int

const (
	reachMain   reach = iota // it is the whole program, which starts with main
	reachExtern              // other files see what is not static
	reachAll                 // anything is called with anything, and every variable may hold anything
)

type irOptions struct {
	major   int               // of clang
	defined func(string) bool // the program has a function of that name
}

type irHazard struct {
	find func(string) bool
	why  string
}

func has(words ...string) func(string) bool {
	return func(s string) bool {
		for _, w := range words {
			if strings.Contains(s, w) {
				return true
			}
		}
		return false
	}
}

var reUndef = regexp.MustCompile(`(?m)^.*\b(undef|poison)\b.*$`)

var irHazards = []irHazard{
	{has(" fptosi <", " fptoui <"), "a conversion from floating point to an integer type may overflow"},
	{has("@setjmp(", "@_setjmp(", "@__sigsetjmp(", "@sigsetjmp(", "@vfork("), "setjmp is used"},
	{has("thread_local "), "thread-local variables"},
	{func(s string) bool {
		for _, l := range reUndef.FindAllString(s, -1) {
			if t := strings.TrimSpace(l); !strings.HasPrefix(t, ";") && !strings.Contains(t, "insertvalue") && !strings.Contains(t, "insertelement") && !strings.Contains(t, "shufflevector") && !strings.HasPrefix(t, "source_filename") && !strings.Contains(t, ` c"`) {
				return true
			}
		}
		return false
	}, "an undefined value stands in the program"},
}

var (
	reType       = regexp.MustCompile(`^(%[-\w.$"]+) = type (.*)$`)
	reDefine     = regexp.MustCompile(`^define (.*)@("?[-\w.$]+"?)\(`)
	reDeclare    = regexp.MustCompile(`^declare .*@("?[-\w.$]+"?)\(`)
	reGlobal     = regexp.MustCompile(`^(@[-\w.$"]+ = )(.*?)\b(global|constant) `)
	reAlloca     = regexp.MustCompile(`^  (%[-\w.$"]+) = alloca (.*)$`)
	reAlign      = regexp.MustCompile(`, align \d+`)
	reParam      = regexp.MustCompile(`\balign \d+ `)
	reAttributes = regexp.MustCompile(`^attributes #\d+ = \{`)
	rePromise    = regexp.MustCompile(`\b(readnone|readonly|writeonly|argmemonly|inaccessiblememonly|inaccessiblemem_or_argmemonly|willreturn|speculatable|nofree|nosync|norecurse|mustprogress|memory\([^)]*\)|allocsize\([^)]*\)|allockind\([^)]*\)) `)
	reNothing    = regexp.MustCompile(`\{\s*\}`)
	reUnknown    = regexp.MustCompile(`^  (%\S+) = (?:tail )?call (i\d+) @llvm\.(?:is\.constant|objectsize)\.`)
	reToInteger  = regexp.MustCompile(`^  (%\S+) = fpto[su]i \S+ \S+ to (i\d+)`)
	reAllocator  = regexp.MustCompile(`@(malloc|calloc|realloc|aligned_alloc|memalign|strdup|strndup)\(`)
	reNoundef    = regexp.MustCompile(`\b(noundef|nonnull|dereferenceable\(\d+\)|dereferenceable_or_null\(\d+\)) `)
)

type irWriter struct {
	out       strings.Builder
	opaque    bool // pointers have no pointee types
	major     int
	types     map[string]string
	declared  map[string]bool
	needHavoc bool
	memcpy    string
	defined   func(string) bool
	reach     reach
	errno     bool            // the program looks at errno
	readOnly  map[string]bool // static variables that keep their first values
	unknowns  map[string]bool // types of which a value that nobody knows is needed
	entry     bool            // in the first block of a function, where its variables are
	pending   []string
	count     int
}

func (w *irWriter) ptr(elem string) string {
	if w.opaque {
		return "ptr"
	}
	return elem + "*"
}

func (w *irWriter) line(l string) {
	switch {
	case strings.HasPrefix(l, "define "):
		l = calm(l)
		if m := reDefine.FindStringSubmatch(l); m != nil {
			l = "define " + w.linkage(m[1], m[2] == "main" || hasPrefix(m[2], "klabel_canary")) +
				l[len("define ")+len(m[1]):]
		}
		w.entry = true
		w.emit(l)
		return
	case strings.HasPrefix(l, "declare "):
		l = calm(l)
		if m := reDeclare.FindStringSubmatch(l); m != nil {
			w.declared[m[1]] = true
			l = w.declare(l, m[1])
		}
		w.emit(l)
		return
	case strings.HasPrefix(l, "@"):
		if m := reGlobal.FindStringSubmatch(l); m != nil && !strings.HasPrefix(l, "@llvm.") {
			name := strings.TrimSuffix(m[1], " = ")
			l = m[1] + w.linkage(m[2], w.readOnly[name] || hasPrefix(name, "@klabel_v")) + l[len(m[1])+len(m[2]):]
		}
		w.emit(l)
		return
	case reAttributes.MatchString(l):
		w.emit(reNothing.ReplaceAllString(rePromise.ReplaceAllString(l, ""), `{ "klabel" }`)) // a group must say something
		return
	case strings.HasPrefix(l, "  call void @llvm.assume("), strings.HasPrefix(l, "  tail call void @llvm.assume("):
		return
	}
	m := reUnknown.FindStringSubmatch(l)
	if m == nil { // a value that does not fit is any value, not one that cannot be
		m = reToInteger.FindStringSubmatch(l)
	}
	if m != nil {
		if w.unknowns == nil {
			w.unknowns = map[string]bool{}
		}
		w.unknowns[m[2]] = true
		l = fmt.Sprintf("  %s = call %s @klabel_unknown_%s()", m[1], m[2], m[2])
	}
	if m := reAlloca.FindStringSubmatch(l); m != nil {
		w.emit(l)
		w.variable(m[1], m[2])
		return
	}
	if w.entry && len(w.pending) > 0 && strings.HasPrefix(l, "  ") {
		w.flush()
	}
	if strings.HasPrefix(l, "  ") {
		l = strings.ReplaceAll(strings.ReplaceAll(l, " inbounds ", " "), " exact ", " ")
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "store ") || strings.Contains(t, " = load ") {
			l = reAlign.ReplaceAllString(l, ", align 1")
		} else if strings.Contains(t, "call ") {
			l = calm(l)
		}
	}
	w.emit(l)
}

// calm takes out what a line promises of parameters and results.
func calm(l string) string {
	l = reNoundef.ReplaceAllString(reParam.ReplaceAllString(l, ""), "")
	if !reAllocator.MatchString(l) {
		l = strings.ReplaceAll(l, " noalias ", " ")
	}
	return l
}

// linkage is what stands before a function or a variable, changed so that the
// optimiser sees who else reaches it; kept is one that stays as it is.
func (w *irWriter) linkage(prefix string, kept bool) string {
	switch {
	case kept:
	case w.reach == reachMain && !hasLinkage(prefix):
		return "internal " + strings.NewReplacer("dso_local ", "", "hidden ", "", "protected ", "", "common ",
			"").Replace(prefix)
	case w.reach == reachAll:
		return strings.NewReplacer("internal ", "", "available_externally ", "", "linkonce_odr ", "", "linkonce ",
			"").Replace(prefix)
	}
	return prefix
}

var reGlobalName = regexp.MustCompile(`@[-\w.$]+`)

// readOnly lists the static variables that nothing but loads by name mentions:
// nobody writes them, and their addresses are nobody's.
func readOnly(lines []string) map[string]bool {
	names := map[string]bool{}
	for _, l := range lines {
		if m := reGlobal.FindStringSubmatch(l); m != nil && strings.Contains(" "+m[2], " internal ") {
			names[strings.TrimSuffix(m[1], " = ")] = true
		}
	}
	for _, l := range lines {
		own := ""
		if m := reGlobal.FindStringSubmatch(l); m != nil {
			own = strings.TrimSuffix(m[1], " = ")
		}
		for _, n := range reGlobalName.FindAllString(l, -1) {
			if n != own && names[n] && !strings.Contains(l, " = load ") {
				delete(names, n)
			}
		}
	}
	return names
}

func (w *irWriter) emit(l string) { w.out.WriteString(l); w.out.WriteByte('\n') }

func hasLinkage(prefix string) bool {
	for _, k := range []string{"internal", "private", "weak", "linkonce", "available_externally", "external",
		"extern_weak", "appending", "linkonce_odr", "weak_odr"} {
		if strings.Contains(" "+prefix, " "+k+" ") {
			return true
		}
	}
	return false
}

// variable remembers to give a local variable a value that nobody knows.
// What alloca says after the type: nothing, or a count for an array of variable
// length, which is then handed to unknown code instead.
func (w *irWriter) variable(name, rest string) {
	rest = reAlign.ReplaceAllString(rest, "")
	typ, count, dynamic := splitType(rest)
	if dynamic {
		if strings.HasPrefix(count, "i") { // a count of elements, not an address space
			w.escape(name, typ)
			return
		}
	}
	w.count++
	n := w.count
	size, scalar := w.size(typ, 0)
	if size < 0 {
		w.escape(name, typ)
		return
	}
	any := fmt.Sprintf("  %%klabel.%d = call noalias %s @klabel_any(i64 %d)", n, w.ptr("i8"), size)
	src := fmt.Sprintf("%%klabel.%d", n)
	if scalar {
		w.pending = append(w.pending, any)
		if !w.opaque {
			w.pending = append(w.pending, fmt.Sprintf("  %%klabel.%d.p = bitcast i8* %s to %s*", n, src, typ))
			src = fmt.Sprintf("%%klabel.%d.p", n)
		}
		w.pending = append(w.pending,
			fmt.Sprintf("  %%klabel.%d.v = load %s, %s %s, align 1", n, typ, w.ptr(typ), src),
			fmt.Sprintf("  store %s %%klabel.%d.v, %s %s, align 1", typ, n, w.ptr(typ), name))
		return
	}
	dst := name
	w.pending = append(w.pending, any)
	if !w.opaque {
		dst = fmt.Sprintf("%%klabel.%d.d", n)
		w.pending = append(w.pending, fmt.Sprintf("  %s = bitcast %s* %s to i8*", dst, typ, name))
	}
	w.memcpy = fmt.Sprintf("declare void @%s(%s, %s, i64, i1 immarg)\n", w.memcpyName(), w.ptr("i8"), w.ptr("i8"))
	w.pending = append(w.pending, fmt.Sprintf("  call void @%s(%s %s, %s %s, i64 %d, i1 false)", w.memcpyName(),
		w.ptr("i8"), dst, w.ptr("i8"), src, size))
}

func (w *irWriter) memcpyName() string {
	if w.opaque {
		return "llvm.memcpy.p0.p0.i64"
	}
	return "llvm.memcpy.p0i8.p0i8.i64"
}

// escape shows a variable to code that nothing is known of.
func (w *irWriter) escape(name, typ string) {
	w.needHavoc = true
	w.count++
	if !w.opaque {
		w.pending = append(w.pending, fmt.Sprintf("  %%klabel.%d.e = bitcast %s* %s to i8*", w.count, typ, name))
		name = fmt.Sprintf("%%klabel.%d.e", w.count)
	}
	w.pending = append(w.pending, fmt.Sprintf("  call void @klabel_havoc(%s %s)", w.ptr("i8"), name))
}

func (w *irWriter) flush() {
	for _, l := range w.pending {
		w.emit(l)
	}
	w.pending = w.pending[:0]
}

// splitType cuts `[4 x i32], i64 %n` at the comma outside brackets.
func splitType(s string) (typ, rest string, more bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[', '{', '<', '(':
			depth++
		case ']', '}', '>', ')':
			depth--
		case ',':
			if depth == 0 {
				return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:]), true
			}
		}
	}
	return strings.TrimSpace(s), "", false
}

// size returns the size of a type in bytes as LLVM lays it out on x86-64, -1 if
// it is not known, and whether it is a scalar.
func (w *irWriter) size(t string, depth int) (int64, bool) {
	n, _ := w.layout(t, depth)
	scalar := t != "" && t[0] != '[' && t[0] != '{' && t[0] != '<' && t[0] != '%' || strings.HasSuffix(t, "*")
	return n, scalar
}

func (w *irWriter) layout(t string, depth int) (size, align int64) {
	t = strings.TrimSpace(t)
	switch {
	case depth > 50 || t == "":
		return -1, 1
	case strings.HasSuffix(t, "*") || t == "ptr":
		return 8, 8
	case t == "float":
		return 4, 4
	case t == "double":
		return 8, 8
	case t == "x86_fp80", t == "fp128":
		return 16, 16
	case t[0] == 'i':
		bits, err := strconv.Atoi(t[1:])
		if err != nil || bits <= 0 || bits > 128 {
			return -1, 1
		}
		b := int64(1)
		for b*8 < int64(bits) {
			b *= 2
		}
		return b, b
	case t[0] == '[':
		n, elem, ok := strings.Cut(t[1:len(t)-1], " x ")
		k, err := strconv.ParseInt(n, 10, 40)
		if !ok || err != nil {
			return -1, 1
		}
		s, a := w.layout(elem, depth+1)
		if s < 0 || k > 1<<20 {
			return -1, 1
		}
		return s * k, a
	case t[0] == '%':
		return w.layout(w.types[t], depth+1)
	case strings.HasPrefix(t, "<{"):
		s, _ := w.fields(t[2:len(t)-2], depth, true)
		return s, 1
	case t[0] == '{':
		return w.fields(t[1:len(t)-1], depth, false)
	}
	return -1, 1
}

func (w *irWriter) fields(list string, depth int, packed bool) (size, align int64) {
	align = 1
	for list != "" {
		f, rest, _ := splitType(list)
		list = rest
		s, a := w.layout(f, depth+1)
		if s < 0 {
			return -1, 1
		}
		if packed {
			a = 1
		}
		size = (size+a-1)/a*a + s
		align = max(align, a)
	}
	return (size + align - 1) / align * align, align
}

// inner says that a function touches no memory of the program's.
func (w *irWriter) inner() string {
	if w.major >= 16 {
		return "memory(inaccessiblemem: readwrite)"
	}
	return "inaccessiblememonly"
}

// declare says what unknown functions leave alone.
func (w *irWriter) declare(l, name string) string {
	args, reads := "inaccessiblemem_or_argmemonly", "argmemonly readonly"
	if w.major >= 16 {
		args, reads = "memory(argmem: readwrite, inaccessiblemem: readwrite)", "memory(argmem: read)"
	}
	insert := func(attr string) string {
		i := strings.LastIndexByte(l, ')')
		return l[:i+1] + " " + attr + " nounwind willreturn" + l[i+1:]
	}
	switch {
	case name == "klabel_any":
		return w.anyDecl()
	case name == "klabel_stop":
		return "declare void @klabel_stop() noreturn nounwind " + w.inner()
	case strings.HasPrefix(name, "klabel_probe_"), strings.HasPrefix(name, "__VERIFIER_nondet_"):
		return insert(w.inner())
	case w.defined(name) || w.errno && setsErrno[name]:
	case scalarOnly[name]:
		return insert(w.inner())
	case readsArguments[name]:
		return insert(reads)
	case argumentsOnly[name]:
		return insert(args)
	}
	return l
}

func (w *irWriter) anyDecl() string {
	return fmt.Sprintf("declare noalias %s @klabel_any(i64) %s nounwind willreturn\n", w.ptr("i8"), w.inner())
}

// scalarOnly lists functions that touch no memory of the program's.
var scalarOnly = map[string]bool{
	"klee_is_symbolic": true, "klee_is_replay": true, "klee_set_forking": true, "klee_open_merge": true,
	"klee_close_merge": true,
	"klee_stack_trace": true, "klee_get_valuef": true, "klee_get_valued": true, "klee_get_valuel": true,
	"klee_get_valuell":   true,
	"klee_get_value_i32": true, "klee_get_value_i64": true, "putchar": true, "abs": true, "labs": true, "llabs": true,
	"isalnum": true, "isalpha": true, "isdigit": true, "islower": true, "isupper": true, "isspace": true,
	"isxdigit": true, "isprint": true,
	"ispunct": true, "toupper": true, "tolower": true, "getchar": true, "rand": true, "fabs": true, "sqrt": true,
	"floor": true, "ceil": true,
	"__errno_location": true, "__ctype_b_loc": true, "__ctype_tolower_loc": true, "__ctype_toupper_loc": true,
}

// setsErrno lists those of the functions below that may leave a number in errno.
var setsErrno = map[string]bool{"putchar": true, "getchar": true, "sqrt": true, "printf": true, "puts": true,
	"atoi": true, "atol": true}

// readsArguments lists functions that read what their arguments point to, and
// nothing else.
var readsArguments = map[string]bool{"strlen": true, "strnlen": true, "strcmp": true, "strncmp": true, "memcmp": true}

// argumentsOnly lists functions that touch only what their arguments point to.
var argumentsOnly = map[string]bool{
	"klee_prefer_cex": true, "klee_posix_prefer_cex": true, "klee_warning": true, "klee_warning_once": true,
	"klee_print_expr":  true,
	"klee_print_range": true, "klee_check_memory_access": true, "klee_get_obj_size": true, "klee_mark_global": true,
	"printf": true, "puts": true, "memset": true,
	"memcpy": true, "memmove": true, "strcpy": true, "strncpy": true, "strcat": true, "atoi": true, "atol": true,
}
