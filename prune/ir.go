package prune

import (
	"fmt"
	"regexp"
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
		notNulls: o.notNull, errno: strings.Contains(text, "@__errno_location")}
	lines := strings.Split(text, "\n")
	for _, l := range lines {
		if m := match(reType, l, " = type "); m != nil {
			ir.types[m[1]] = m[2]
		}
	}
	if from == reachMain && (strings.Contains(text, "= alias ") || strings.Contains(text, " ifunc ")) {
		ir.reach = reachExtern
	}
	if from == reachAll {
		ir.readOnly = readOnly(lines)
	}
	for i, l := range lines {
		if strings.HasPrefix(l, "define ") && o.notNull {
			ir.used = used(lines[i+1:])
		}
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
	if ir.assumes && !ir.declared["llvm.assume"] {
		ir.out.WriteString("declare void @llvm.assume(i1)\n")
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
	notNull bool              // a run that goes on behind an access has no NULL there
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

var reUndef = regexp.MustCompile(`\b(undef|poison)\b`)

var irHazards = []irHazard{
	{has(" fptosi <", " fptoui <"), "a conversion from floating point to an integer type may overflow"},
	{has("@setjmp(", "@_setjmp(", "@__sigsetjmp(", "@sigsetjmp(", "@vfork("), "setjmp is used"},
	{has("thread_local "), "thread-local variables"},
	{func(s string) bool {
		if !has("undef", "poison")(s) {
			return false
		}
		for l := range strings.Lines(s) {
			if !has("undef", "poison")(l) || !reUndef.MatchString(l) {
				continue
			}
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
	errno     bool             // the program looks at errno
	readOnly  map[string]bool  // static variables that keep their first values
	locals    map[string]bool  // variables of the function
	places    map[string]place // where its registers point to
	used      map[string]bool  // its registers that something comes of
	notNulls  bool             // an access says that its pointer is not NULL
	assumes   bool
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
		w.locals, w.places = map[string]bool{}, map[string]place{}
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
	case strings.HasPrefix(l, "attributes ") && reAttributes.MatchString(l):
		w.emit(reNothing.ReplaceAllString(rePromise.ReplaceAllString(l, ""), `{ "klabel" }`)) // a group must say something
		return
	case strings.HasPrefix(l, "  call void @llvm.assume("), strings.HasPrefix(l, "  tail call void @llvm.assume("):
		return
	}
	m := match(reUnknown, l, "@llvm.")
	if m == nil { // a value that does not fit is any value, not one that cannot be
		m = match(reToInteger, l, " = fpto")
	}
	if m != nil {
		if w.unknowns == nil {
			w.unknowns = map[string]bool{}
		}
		w.unknowns[m[2]] = true
		l = fmt.Sprintf("  %s = call %s @klabel_unknown_%s()", m[1], m[2], m[2])
	}
	if m := match(reAlloca, l, " = alloca "); m != nil {
		w.emit(l)
		w.locals[m[1]] = true
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
	if w.notNulls && strings.HasPrefix(l, "  ") {
		if p := w.follow(l); p.base != "" {
			w.notNull(p)
		}
	}
}

// match is FindStringSubmatch for patterns that hold a word: most lines do not, and a module has very many.
func match(re *regexp.Regexp, l, word string) []string {
	if !strings.Contains(l, word) {
		return nil
	}
	return re.FindStringSubmatch(l)
}

// calm takes out what a line promises of parameters and results.
func calm(l string) string {
	if strings.Contains(l, "align ") {
		l = reParam.ReplaceAllString(l, "")
	}
	if has("noundef ", "nonnull ", "dereferenceable")(l) {
		l = reNoundef.ReplaceAllString(l, "")
	}
	if strings.Contains(l, " noalias ") && !reAllocator.MatchString(l) {
		l = strings.ReplaceAll(l, " noalias ", " ")
	}
	return l
}

func (w *irWriter) emit(l string) { w.out.WriteString(l); w.out.WriteByte('\n') }

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
