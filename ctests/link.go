package ctests

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"klabel/input"
)

// Linkable parts cases in those that can be tested with the source's object, and
// those for which a test has to include the source: what is static, what has a type
// or a global that no header declares, what is replaced by a stub in the source
// itself, allocations that fail, programs of their own. One entry of a function may
// be linked where another one is not. Whether it works is tried, with Observe, whose
// Recorder is given the object and the flag Undeclared.
func Linkable(dir string, cases []Case, o Options) (linked, included []Case, err error) {
	o.Linked = true
	l := &linker{o: o, out: &folder{dir: dir, late: map[string]string{}}, path: filepath.Join(dir, recordFile),
		of: map[string][]Case{}}
	defer func() { _ = os.Remove(l.path) }()
	var entries []string
	for _, c := range cases {
		d := o.driver(c)
		if d == nil || d.Function == "main" || len(d.Replaced) > 0 || d.LetsFail(c.Test) || o.Observe == nil {
			included = append(included, c)
			continue
		}
		entry := d.Function + " " + c.Entry
		if l.of[entry] == nil {
			entries = append(entries, entry)
		}
		l.of[entry] = append(l.of[entry], c)
	}
	good, rest, err := l.part(entries)
	if err != nil {
		return nil, nil, err
	}
	// The others may lack a declaration alone.
	l.declare(rest, true)
	declared, rest, err := l.part(rest)
	if err != nil {
		return nil, nil, err
	}
	l.declare(rest, false)
	for _, e := range append(good, declared...) {
		linked = append(linked, l.of[e]...)
	}
	for _, e := range rest {
		included = append(included, l.of[e]...)
	}
	for _, list := range [][]Case{linked, included} {
		slices.SortStableFunc(list, func(a, b Case) int { return a.Number - b.Number })
	}
	return linked, included, nil
}

// linker tries which entries can be tested without the source.
type linker struct {
	o    Options
	out  *folder
	path string
	of   map[string][]Case // by entry
}

func (l *linker) declare(entries []string, yes bool) {
	for _, e := range entries {
		for i := range l.of[e] {
			l.of[e][i].Declare = yes
		}
	}
}

// part tells entries that compile together from others. The compiler names most of
// those that do not; where it does not, halves are tried.
func (l *linker) part(entries []string) (good, bad []string, err error) {
	if len(entries) == 0 {
		return nil, nil, nil
	}
	ok, blamed, err := l.works(entries)
	switch {
	case err != nil:
		return nil, nil, err
	case ok:
		return entries, nil, nil
	case len(entries) == 1:
		return nil, entries, nil
	case len(blamed) > 0:
		innocent := slices.DeleteFunc(slices.Clone(entries), func(e string) bool { return slices.Contains(blamed, e) })
		good, bad, err = l.part(innocent)
		return good, append(bad, blamed...), err
	}
	half := len(entries) / 2
	for _, some := range [][]string{entries[:half], entries[half:]} {
		g, b, err := l.part(some)
		if err != nil {
			return nil, nil, err
		}
		good, bad = append(good, g...), append(bad, b...)
	}
	return good, bad, nil
}

// works tries to build the tests of entries, and says whom the compiler blames.
func (l *linker) works(entries []string) (ok bool, blamed []string, err error) {
	var some []Case
	for _, e := range entries {
		some = append(some, l.of[e]...)
	}
	o := l.o
	tests, _, err := o.prepare(l.out, some)
	if err != nil || len(tests) == 0 {
		return false, nil, err
	}
	failed := compiles(l.path, tests, o)
	var refused *refusal
	if failed == nil || !errors.As(failed, &refused) {
		return failed == nil, nil, nil
	}
	for _, t := range culprits(runner(tests, o, true), tests, refused.lines) {
		if e := t.driver.Function + " " + t.Entry; !slices.Contains(blamed, e) {
			blamed = append(blamed, e)
		}
	}
	return false, blamed, nil
}

// culprits are the tests in whose text these lines of the runner stand, or which
// asked for the declaration there.
func culprits(text string, tests []*written, lines []int) (out []*written) {
	byName := map[string]*written{}
	for _, t := range tests {
		byName["static void "+t.function()+"(void)"] = t
	}
	var inside *written
	for i, line := range strings.Split(text, "\n") {
		if t := byName[line]; t != nil {
			inside = t
		}
		if slices.Contains(lines, i+1) {
			if inside != nil {
				out = append(out, inside)
			} else {
				words := identifier.FindAllString(line, -1)
				out = append(out, slices.DeleteFunc(slices.Clone(tests), func(t *written) bool {
					return !t.Declare || !slices.ContainsFunc(words, t.declares)
				})...)
			}
		}
		if line == "}" {
			inside = nil
		}
	}
	return out
}

// declares reports whether a name is one that the test declares for itself.
func (t *written) declares(name string) bool {
	return name == t.driver.Function || slices.ContainsFunc(t.driver.Inputs[:t.driver.Globals],
		func(in *input.Input) bool { return in.Name == name })
}

var (
	comment   = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	directive = regexp.MustCompile(`^\s*#\s*(\w+)`)
)

// directives are the lines for the preprocessor with which a source begins, up to
// the last header that it includes: tests see of headers what it sees.
func directives(source string) string {
	source = comment.ReplaceAllStringFunc(source, func(c string) string {
		return strings.Repeat("\n", strings.Count(c, "\n")) + " "
	})
	var kept []string
	last, depth, open := 0, 0, false
	lines := strings.Split(source, "\n")
	for i := 0; i < len(lines); i++ {
		m := directive.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		for {
			kept = append(kept, strings.TrimRight(lines[i], " \t\r"))
			if !strings.HasSuffix(kept[len(kept)-1], `\`) || i+1 == len(lines) {
				break
			}
			i++
		}
		switch m[1] {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
			if open && depth == 0 { // of a header that is included under a condition
				last, open = len(kept), false
			}
		case "include":
			if open = depth > 0; !open {
				last = len(kept)
			}
		}
	}
	return strings.Join(kept[:last], "\n")
}

// declarations are those that linked tests make themselves, where no header does.
func declarations(tests []*written) string {
	var s strings.Builder
	seen := map[string]bool{}
	for _, t := range tests {
		d := t.driver
		if !t.Declare {
			continue
		}
		for _, g := range d.Inputs[:d.Globals] {
			if !seen[g.Name] {
				seen[g.Name] = true
				s.WriteString("extern " + g.Type.Declare(g.Name) + ";\n")
			}
		}
		if seen[d.Function] {
			continue
		}
		seen[d.Function] = true
		var params []string
		for i, in := range d.Inputs[d.Globals:] {
			name := ""
			if i < len(d.Params) {
				name = d.Params[i]
			}
			params = append(params, in.Type.Declare(name))
		}
		switch {
		case d.Variadic:
			params = append(params, "...")
		case len(params) == 0:
			params = []string{"void"}
		}
		head := d.Function + "(" + strings.Join(params, ", ") + ")"
		if d.Result == nil {
			s.WriteString("void " + head + ";\n")
		} else {
			s.WriteString(d.Result.Declare(head) + ";\n")
		}
	}
	if s.Len() > 0 {
		s.WriteString("\n")
	}
	return s.String()
}
