package instrument

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/engine"
)

// names are the names of the external functions. A program that uses one of
// them for something of its own gets the library's second name.
type names struct{ covered, pending, nop string }

func namesFor(u *csource.Unit) names {
	n := names{"covered", "pending", "nop"}
	used := u.Identifiers("covered", "pending", "nop")
	for _, p := range []*string{&n.covered, &n.pending, &n.nop} {
		if used[*p] {
			*p = "klabel_" + *p
		}
	}
	return n
}

// prelude declares what the forms of the mode refer to.
func (r *rewriter) prelude(o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# 1 \"<klabel>\"\n/* Written by klabel instrument --mode %s. */\n", o.Mode)
	switch o.Mode {
	case engine.Naive:
		fmt.Fprintf(&b, "void %s(void);\n", r.names.nop)
	case engine.Tight, engine.Optim:
		b.WriteString(kleeDeclarations)
		if o.Mode == engine.Optim {
			fmt.Fprintf(&b, "int %s(int id); /* reads the live view */\n", r.names.covered)
		}
		b.WriteString(failMacro)
		b.WriteString("#define klabel_assert(id, holds) ((holds) ? (void)0 : klabel_fail(id))\n")
	case engine.Fused:
		b.WriteString(kleeDeclarations)
		if o.MaxID > maxCopied {
			fmt.Fprintf(&b, fusedSparse, r.names.covered, r.names.pending)
			b.WriteString(failMacro)
			break
		}
		fmt.Fprintf(&b, fusedDeclarations, r.names.covered, r.names.pending, int(o.MaxID)+1)
		b.WriteString(failMacro)
		fmt.Fprintf(&b, fusedMacros, r.names.covered, r.names.pending)
	case engine.Greybox:
		b.WriteString("void klee_silent_exit(int status) __attribute__((noreturn));\n")
		b.WriteString("int klabel_wants(int id);\nvoid klabel_label(int id, int holds);\n")
	case engine.Fuzz:
		b.WriteString(fuzzDeclarations)
	case Replay:
		b.WriteString("void klabel_hit(int id);\n" + readsMacro)
	}
	if r.u != nil && r.u.Identifiers(entryEnd)[entryEnd] {
		b.WriteString(entryEndDefinition(o.Mode))
	}
	return b.String()
}

// readsMacro asks the replay runtime, where it is linked, whether a predicate
// can read what a pointer points to.
const readsMacro = `int klabel_can_read(const void *p, unsigned long n) __attribute__((weak));
#define klabel_reads(p, n) (!klabel_can_read || klabel_can_read(p, n))
`

// entryEnd is what an entry of package drivers calls when it is done.
const entryEnd = "klabel_entry_end"

// entryEndDefinition ends the path without a test in the modes whose tests come
// from assertions alone, as the end of main does there.
func entryEndDefinition(m engine.Mode) string {
	if m.AssertTests() {
		return "__attribute__((nodebug, unused)) static void klabel_entry_end(void) { klee_silent_exit(0); }\n"
	}
	return "__attribute__((nodebug, unused)) static void klabel_entry_end(void) {}\n"
}

const kleeDeclarations = `int klee_int(const char *name);
void klee_silent_exit(int status) __attribute__((noreturn));
void __assert_fail(const char *text, const char *file, unsigned int line, const char *function) __attribute__((noreturn));
`

const failMacro = `#define klabel_fail(id) __assert_fail("cov_label " #id, __FILE__, __LINE__, __func__)
`

// fusedDeclarations holds the program's own copy of the live view, so that a
// label known as resolved costs one load. A label that looks open is asked of
// the library, through one wrapper that brings the whole copy up to date: with
// KLEE 3.1 a query, a fork and a path to nowhere cost some hundred times that
// call, and asking only every eighth time made runs a third to twice as long.
// A path that comes by the same open label over and over (a loop, a label that
// cannot be covered) asks each sixteenth time, and always when its copy says
// pending, which may have been taken back since.
const fusedDeclarations = `void klee_assume(__UINTPTR_TYPE__ condition);
int %[1]s(int id);
void %[2]s(int id);
void klabel_view_copy(unsigned char *to, int from, int n);
__attribute__((weak)) unsigned char klabel_view[%[3]d]; /* this path's copy of the live view */
__attribute__((weak)) unsigned char klabel_asks[%[3]d]; /* how often this path met the label open */
__attribute__((weak)) int klabel_open(int id)
{
    if (klabel_asks[id]++ %% 16 == 0 || klabel_view[id])
        klabel_view_copy(klabel_view, 0, sizeof klabel_view);
    return !klabel_view[id];
}
`

// fusedMacros fork where the predicate can hold and the choice is made. The
// live view is asked once more before a test is written, since another path or
// another engine may have been faster. The path that goes on has learnt that
// choice and predicate do not both hold; it then takes the choice as 0, which
// KLEE simplifies that constraint away with, so that later queries do not drag
// it along. A path does so only the first time it meets a label: in a loop over
// a label that cannot be covered there is nothing to simplify.
const fusedMacros = `#define klabel_due(id) ((klabel_view[id] & ~2) == 0 && klabel_open(id)) /* unknown 0, pending 2 */
#define klabel_cover(id) (%[1]s(id) ? klee_silent_exit(0) : (%[2]s(id), klabel_fail(id)))
#define klabel_try(id, holds) \
    do { \
        int klabel_choice = klee_int("nondet_" #id); \
        if ((klabel_choice != 0) & (holds)) \
            klabel_cover(id); \
        if (klabel_asks[id] == 1) \
            klee_assume(klabel_choice == 0); \
    } while (0)
`

// maxCopied is the largest label number for which a program holds a copy of the
// live view. Every path has its own copy: with larger numbers that would cost
// more memory than asking the library each time costs time.
const maxCopied = 1<<14 - 1

// fusedSparse is fused without the copy.
const fusedSparse = `int %[1]s(int id);
void %[2]s(int id);
#define klabel_due(id) (!%[1]s(id))
#define klabel_cover(id) (%[1]s(id) ? klee_silent_exit(0) : (%[2]s(id), klabel_fail(id)))
#define klabel_try(id, holds) \
    do { \
        if ((klee_int("nondet_" #id) != 0) & (holds)) \
            klabel_cover(id); \
    } while (0)
`

// main renames the unit's main and returns the text of the new one, "" when
// the unit has none.
func (r *rewriter) main() string {
	f := r.u.Function("main")
	if f == nil {
		return ""
	}
	for _, s := range r.u.IdentifierSpans("main") {
		r.edits.Replace(s, "klabel_main")
	}
	params, args := "void", ""
	if f.Type != nil && len(f.Params) > 0 && f.Params[0].Type().Kind() != cc.Void {
		params, args = "int argc, char **argv", "argc"
		if len(f.Params) > 1 {
			args += ", " + argument(f.Params[1], "argv")
		}
		if len(f.Params) > 2 {
			params += ", char **envp"
			args += ", " + argument(f.Params[2], "envp")
		}
	}
	return fmt.Sprintf("# 1 \"<klabel>\"\nint main(%s)\n{\n    klabel_main(%s);\n    klee_silent_exit(0);\n}\n", params,
		args)
}

// argument passes main's own argument on, whatever pointer the user's main
// takes it as.
func argument(p *cc.Parameter, name string) string {
	if p.Type() != nil && strings.ReplaceAll(p.Type().String(), "pointer to ", "*") == "**char" {
		return name
	}
	return "(void *)" + name
}
