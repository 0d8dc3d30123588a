// Package instrument turns labels into what an engine or a replay wants.
//
// It exists because the same labelled program has to reach a symbolic
// execution engine in several forms (the modes of Berthier et al., SAC 2023,
// and klabel's own), and a replay in another. Rewrite replaces each label
// where it stands and nothing else; the result is C that a person can read,
// with the user's lines under #line.
//
// It promises valid C for every label that package csource accepts, at the
// same line; that in mode Ignore the program behaves as without labels; that in all modes a
// loop that does nothing and never ends is an error of the program's, met at once; that to compute an offset from NULL
// is none in replays; that each label's assertion stays a site of its own, told by the label's number;
// that a predicate which divides by zero, follows a NULL pointer or the like
// does not hold there, and the run goes on, also where labels at one place share what their predicates are made of;
// and no reference to a header of the system or of KLEE.
//
// Limits: it starts nothing and compiles
// nothing. Members of sequences that are still there are left out: package annotate makes
// labels of them.
package instrument

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"klabel/csource"
	"klabel/engine"
	"klabel/fault"
	"klabel/label"
)

// Replay is the form for native replays. It is no mode of an engine.
const Replay engine.Mode = "replay"

// Modes are all forms that Rewrite knows.
var Modes = []engine.Mode{engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused, engine.Greybox,
	engine.Fuzz, Replay}

// Options choose the form.
type Options struct {
	Mode engine.Mode
	// MaxID is the largest label ID of the whole program. All units of one
	// program must be given the same. 0 means the largest of this unit.
	MaxID label.ID
	// Only, if not nil, holds the labels to instrument; the others get the form
	// of mode ignore.
	Only map[label.ID]bool
	// Input, if not 0, makes the standard input that KLEE's runtime gives a program of
	// the unit's main shorter on some paths: of any length up to this.
	Input int
}

// Rewrite returns the unit's text with each label in the form of the mode. In
// modes whose tests come from assertions, a main of the unit is renamed
// klabel_main and called from a new one whose end makes no test.
func Rewrite(u *csource.Unit, o Options) ([]byte, error) {
	if !known(o.Mode) {
		return nil, fmt.Errorf("unknown mode %q: want one of %v", o.Mode, Modes)
	}
	if n := forges(u.Text); n != "" {
		return nil, fault.WithHint(fmt.Errorf("%s: the program uses %s, with which replays note covered labels",
			u.Path, n), "rename it")
	}
	labels, err := u.Labels()
	if err != nil {
		return nil, err
	}
	r := rewriter{u: u, edits: u.Edits(), names: namesFor(u)}
	wanted := labels[:0:0]
	for _, l := range labels {
		o.MaxID = max(o.MaxID, l.ID)
		switch {
		case o.Only != nil && !o.Only[l.ID]:
			r.label(engine.Ignore, l)
		case o.Mode == Replay:
			wanted = append(wanted, l)
		default:
			r.label(o.Mode, l)
		}
	}
	for _, run := range r.runs(wanted) {
		r.together(run)
	}
	for _, s := range u.Sequences() {
		r.drop(s)
	}
	r.keepCalls()
	r.keepPureCalls()
	r.offsets(o.Mode)
	endless := r.endless()
	main := ""
	if o.Mode.AssertTests() || o.Input > 0 {
		main = r.main(o)
	}
	var out bytes.Buffer
	out.WriteString(r.prelude(o))
	if endless {
		out.WriteString(endlessDeclaration)
	}
	body := r.edits.Apply()
	if o.Mode == engine.Fuzz {
		body = []byte(guardedArrays(string(body)))
	}
	if !startsWithMarker(body) {
		fmt.Fprintf(&out, "#line 1 %s\n", csource.QuoteFile(u.Path))
	}
	out.Write(body)
	if len(body) > 0 && body[len(body)-1] != '\n' {
		out.WriteByte('\n')
	}
	out.WriteString(main)
	return out.Bytes(), nil
}

// noting are the names through which hits are noted, in the replay runtime and in
// the native engine, behind "klabel_".
var noting = []string{"hit", "run", "wants", "label"}

// forges finds a name in a preprocessed text with which it could claim hits by
// itself, in strings too: those of asm name symbols.
func forges(text []byte) string {
	if n := noted(text); n != "" || !bytes.Contains(text, []byte("asm")) {
		return n
	}
	return noted(unescaped(adjoined(text)))
}

// noted is the first of the names that stands in a text as a word of its own.
func noted(text []byte) string {
	const prefix = "klabel_"
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(prefix))
		if i < 0 {
			return ""
		}
		start := from + i
		from = start + len(prefix)
		if start > 0 && isWord(text[start-1]) {
			continue
		}
		end := from
		for end < len(text) && isWord(text[end]) {
			end++
		}
		if slices.Contains(noting, string(text[from:end])) {
			return string(text[start:end])
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// adjoined makes one string literal of those that only white space parts.
func adjoined(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return append(out, text...)
		}
		out = append(out, text[:i]...)
		next := bytes.TrimLeft(text[i+1:], " \t\n\f\r")
		if len(next) > 0 && next[0] == '"' {
			text = next[1:]
		} else {
			out, text = append(out, '"'), text[i+1:]
		}
	}
}

// escaped is how a string literal can spell a letter otherwise.
var escaped = regexp.MustCompile(`^\\([0-7]{1,3}|x[0-9a-fA-F]+|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`)

// unescaped is a text with the letters that are spelled so.
func unescaped(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(out, text...)
		}
		out, text = append(out, text[:i]...), text[i:]
		e := escaped.Find(text)
		if e == nil {
			out, text = append(out, text[0]), text[1:]
			continue
		}
		base, digits := 8, e[1:]
		if strings.ContainsRune("xuU", rune(e[1])) {
			base, digits = 16, e[2:]
		}
		if n, err := strconv.ParseUint(string(digits), base, 7); err == nil {
			out = append(out, byte(n))
		} else {
			out = append(out, e...) // no letter of a name
		}
		text = text[len(e):]
	}
}

// Labels lists the unit's labels in the words of package label.
func Labels(u *csource.Unit) ([]label.Label, error) {
	calls, err := u.Labels()
	if err != nil {
		return nil, err
	}
	out := make([]label.Label, len(calls))
	for i, c := range calls {
		out[i] = c.Label()
	}
	return out, nil
}

func known(m engine.Mode) bool {
	for _, k := range Modes {
		if k == m {
			return true
		}
	}
	return false
}

func startsWithMarker(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\n")
	return len(text) > 0 && text[0] == '#'
}

// rewriter holds the changes to one unit.
type rewriter struct {
	u     *csource.Unit
	edits *csource.Edits
	names names
}

// drop takes a call out.
func (r *rewriter) drop(c csource.LabelCall) {
	if c.Statement {
		r.edits.Replace(c.Stmt, ";")
	} else {
		r.edits.Replace(c.Call, "((void)0)")
	}
}

// label puts the form of the mode in place of a label. The predicate's bytes
// stay, so that labels within it are rewritten too.
func (r *rewriter) label(m engine.Mode, c csource.LabelCall) {
	if m == engine.Ignore {
		r.drop(c)
		return
	}
	before, after := r.form(m, c)
	g := r.guard(m, c)
	if m == engine.Fuzz {
		after = r.distance(c, g)
	}
	if g != "" {
		before, after = before+g+" && (", ")"+after
	}
	switch {
	case !c.Statement:
		before, after = "({ "+before, after+" })"
	case c.Body:
		before, after = "{ "+before, after+" }"
	}
	r.edits.Replace(csource.Span{Start: c.Stmt.Start, End: c.Pred.Start}, before)
	r.edits.Replace(csource.Span{Start: c.Pred.End, End: c.Stmt.End}, after)
}

// guard is the condition under which the predicate can be evaluated, "" if it
// always can: where it cannot be, it does not hold, and the run goes on. Only
// a replay can tell more of a pointer than that it is NULL.
func (r *rewriter) guard(m engine.Mode, c csource.LabelCall) string {
	if holdsDirective(r.u, c.Pred) {
		return ""
	}
	if m == Replay {
		return r.u.Guard(c.PredExpr, readable)
	}
	return r.u.Guard(c.PredExpr, nil)
}

// readable asks the replay runtime.
func readable(pointer, size string) string { return "klabel_reads(" + pointer + ", " + size + ")" }

// form is what stands before and after the predicate.
func (r *rewriter) form(m engine.Mode, c csource.LabelCall) (before, after string) {
	id := c.ID.String()
	choice := `klee_int("nondet_` + id + `")`
	switch m {
	case engine.Naive:
		return "if (", ") " + r.names.nop + "();"
	case engine.Tight:
		a, b := r.assertion(c)
		return "if (" + choice + ") { " + a, b + "; klee_silent_exit(0); }"
	case engine.Optim:
		a, b := r.assertion(c)
		return "if (" + choice + ") { if (!" + r.names.covered + "(" + id + ")) " + a, b + "; klee_silent_exit(0); }"
	case engine.Fused:
		open := "if (klabel_due(" + id + ")) "
		if !holdsDirective(r.u, c.Pred) && branchFree(r.u, c.PredExpr) {
			straighten(r.u, r.edits, c.PredExpr)
			open += "klabel_try(" + id + ", "
			if isTruth(c.PredExpr) {
				return open, ");"
			}
			return open + "!!(", "));"
		}
		return open + "if (" + choice + ") { if (", ") klabel_cover(" + id + "); klee_silent_exit(0); }"
	case engine.Greybox:
		return "if (klabel_wants(" + id + ")) klabel_label(" + id + ", !!(", "));"
	case engine.Fuzz:
		return "if (klabel_wants(" + id + ")) klabel_fuzz_label(" + id + ", (", ""
	case Replay:
		return "if (", ") klabel_hit(" + id + ");"
	}
	return "(void)(", ");"
}

// assertion is the assertion that the predicate is false. A predicate with a
// line directive inside cannot be a macro's argument.
func (r *rewriter) assertion(c csource.LabelCall) (before, after string) {
	id := c.ID.String()
	if holdsDirective(r.u, c.Pred) {
		return "!(", ") ? (void)0 : klabel_fail(" + id + ")"
	}
	return "klabel_assert(" + id + ", !(", "))"
}

// holdsDirective reports whether a line directive or pragma stands within s.
func holdsDirective(u *csource.Unit, s csource.Span) bool {
	return bytes.Contains(u.Text[s.Start:s.End], []byte("\n#"))
}
