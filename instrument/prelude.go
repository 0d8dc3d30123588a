package instrument

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/engine"
	"klabel/runtime_c"
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
		b.WriteString(r.piece(kleeDeclarations, o))
		if o.Mode == engine.Optim {
			fmt.Fprintf(&b, "int %s(int id); /* reads the live view */\n", r.names.covered)
		}
		b.WriteString(r.piece(failMacro, o))
		b.WriteString("#define klabel_assert(id, holds) ((holds) ? (void)0 : klabel_fail(id))\n")
	case engine.Fused:
		pieces := []string{fusedDeclarations, fusedMacros}
		if o.MaxID > maxCopied {
			pieces = []string{fusedSparse}
		}
		for _, name := range append([]string{kleeDeclarations, failMacro, fusedClaim}, pieces...) {
			b.WriteString(r.piece(name, o))
		}
	case engine.Greybox:
		b.WriteString("void klee_silent_exit(int status) __attribute__((noreturn));\n")
		b.WriteString("int klabel_wants(int id);\nvoid klabel_label(int id, int holds);\n")
	case engine.Fuzz:
		b.WriteString(r.piece(fuzzDeclarations, o))
	case Replay:
		b.WriteString("void klabel_hit(int id);\n" + r.piece(readsMacro, o))
	}
	if r.u != nil && r.u.Identifiers(entryEnd)[entryEnd] {
		b.WriteString(entryEndDefinition(o.Mode))
	}
	return b.String()
}

// placeholder is a word of the pieces in runtime_c that stands for the program's.
var placeholder = regexp.MustCompile(`\b(klabel_covered|klabel_pending|KLABEL_LABELS)\b`)

// piece is C of runtime_c/instrument in the program's names.
func (r *rewriter) piece(name string, o Options) string {
	return placeholder.ReplaceAllStringFunc(runtime_c.Piece("instrument/"+name), func(word string) string {
		switch word {
		case "klabel_covered":
			return r.names.covered
		case "klabel_pending":
			return r.names.pending
		}
		return strconv.Itoa(int(o.MaxID) + 1)
	})
}

// readsMacro asks the replay runtime, where it is linked, whether a predicate
// can read what a pointer points to.
const readsMacro = "reads.h"

// entryEnd is what an entry of package drivers calls when it is done.
const entryEnd = "klabel_entry_end"

// mainEnd is called when main returns, in the modes whose tests come from assertions
// alone: the native engine runs there what runs at a program's end.
const mainEnd = "klabel_main_end"

// entryEndDefinition ends the path without a test in the modes whose tests come
// from assertions alone, as the end of main does there.
func entryEndDefinition(m engine.Mode) string {
	if m.AssertTests() {
		return "__attribute__((nodebug, unused)) static void klabel_entry_end(void) { klee_silent_exit(0); }\n"
	}
	return "__attribute__((nodebug, unused)) static void klabel_entry_end(void) {}\n"
}

// kleeDeclarations are what the modes for KLEE call.
const kleeDeclarations = "klee.h"

// failMacro makes a test.
const failMacro = "fail.h"

// fusedClaim asks the live view once more before a test is written, since another path
// or another engine may have been faster.
const fusedClaim = "fused_claim.h"

// fusedDeclarations holds the program's own copy of the live view, so that a
// label known as resolved costs one load. A label that looks open is asked of
// the library, through one wrapper that brings the whole copy up to date: with
// KLEE 3.1 a query, a fork and a path to nowhere cost some hundred times that
// call, and asking only every eighth time made runs a third to twice as long.
// A path that comes by the same open label over and over (a loop, a label that
// cannot be covered) asks each sixteenth time, and always when its copy says
// pending, which may have been taken back since.
const fusedDeclarations = "fused_view.h"

// fusedMacros fork where the predicate can hold and the choice is made. The path that goes on has learnt that
// choice and predicate do not both hold; it then takes the choice as 0, which
// KLEE simplifies that constraint away with, so that later queries do not drag
// it along. A path does so only the first time it meets a label: in a loop over
// a label that cannot be covered there is nothing to simplify.
const fusedMacros = "fused.h"

// maxCopied is the largest label number for which a program holds a copy of the
// live view. Every path has its own copy: with larger numbers that would cost
// more memory than asking the library each time costs time.
const maxCopied = 1<<14 - 1

// fusedSparse is fused without the copy.
const fusedSparse = "fused_sparse.h"

// main renames the unit's main and returns the text of the new one, "" when
// the unit has none.
func (r *rewriter) main(o Options) string {
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
	var b strings.Builder
	b.WriteString("# 1 \"<klabel>\"\n")
	if o.Input > 0 {
		b.WriteString(r.piece(inputDeclarations, o))
	}
	if o.Mode.AssertTests() {
		b.WriteString("__attribute__((nodebug, unused)) static void " + mainEnd + "(void) { klee_silent_exit(0); }\n")
	}
	fmt.Fprintf(&b, "int main(%s)\n{\n", params)
	if o.Input > 0 {
		fmt.Fprintf(&b, "    klabel_open_input(%d);\n", o.Input)
	}
	end := "return 0;" // the engine does not look at it
	if o.Mode.AssertTests() {
		end = mainEnd + "();"
	}
	fmt.Fprintf(&b, "    klabel_main(%s);\n    %s\n}\n", args, end)
	return b.String()
}

// inputDeclarations give KLEE's standard input other lengths.
const inputDeclarations = "input.h"

// argument passes main's own argument on, whatever pointer the user's main
// takes it as.
func argument(p *cc.Parameter, name string) string {
	if p.Type() != nil && strings.ReplaceAll(p.Type().String(), "pointer to ", "*") == "**char" {
		return name
	}
	return "(void *)" + name
}
