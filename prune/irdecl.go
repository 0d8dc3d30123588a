package prune

import (
	"fmt"
	"regexp"
	"strings"
)

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
		if len(names) == 0 || !strings.Contains(l, "@") || strings.Contains(l, " = load ") {
			continue
		}
		own := ""
		if m := reGlobal.FindStringSubmatch(l); m != nil {
			own = strings.TrimSuffix(m[1], " = ")
		}
		for _, n := range reGlobalName.FindAllString(l, -1) {
			if n != own && names[n] {
				delete(names, n)
			}
		}
	}
	return names
}

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
