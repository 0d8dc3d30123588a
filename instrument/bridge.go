package instrument

import (
	"fmt"
	"strings"

	"klabel/engine"
	"klabel/label"
)

// Bridge is the C that gives labels in bitcode their meaning in a mode: the two
// functions that runtime_c/include/klabel/bitcode.h calls at each label,
//
//	if (klabel_enter(id, site)) klabel_holds(id, !!(predicate));
//
// The predicate is compiled already, branches and all, so that every mode takes
// the form in which the choice comes before it: what the predicate forks into ends
// with the label. Nothing guards it: where it fails, so does the path.
func Bridge(mode engine.Mode, maxID label.ID, ids []label.ID) []byte {
	var b strings.Builder
	r := rewriter{names: names{"covered", "pending", "nop"}}
	b.WriteString(r.prelude(Options{Mode: mode, MaxID: maxID}))
	enter, holds := bridges(mode)
	b.WriteString("int klabel_enter(int id, const char *site)\n{\n    (void)site;\n    switch (id) {\n")
	for _, id := range ids {
		fmt.Fprintf(&b, "    case %[1]s: return %[2]s;\n", id, strings.ReplaceAll(enter, "ID", id.String()))
	}
	b.WriteString("    }\n    return 0;\n}\n")
	b.WriteString("void klabel_holds(int id, int holds)\n{\n    (void)holds;\n    switch (id) {\n")
	for _, id := range ids {
		fmt.Fprintf(&b, "    case %[1]s: %[2]s break;\n", id, strings.ReplaceAll(holds, "ID", id.String()))
	}
	b.WriteString("    }\n}\n")
	return []byte(b.String())
}

// bridges are what the two functions do for label ID.
func bridges(m engine.Mode) (enter, holds string) {
	choice := `klee_int("nondet_ID") != 0`
	switch m {
	case engine.Naive:
		return "1", "if (holds) nop();"
	case engine.Tight:
		return choice, "klabel_assert(ID, !holds); klee_silent_exit(0);"
	case engine.Optim:
		return choice, "if (!covered(ID)) klabel_assert(ID, !holds); klee_silent_exit(0);"
	case engine.Fused:
		return "klabel_due(ID) && " + choice, "if (holds) klabel_cover(ID); klee_silent_exit(0);"
	case engine.Greybox:
		return "1", "if (klabel_wants(ID)) klabel_label(ID, holds);"
	case Replay:
		return "1", "if (holds) klabel_hit(ID);"
	}
	return "0", ""
}
