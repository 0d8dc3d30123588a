package ctests

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Linkable parts cases in those whose functions can be tested with the source's
// object, and those for which a test has to include the source: what is static,
// what has a type or a global that no header declares, what is replaced by a stub
// in the source itself, allocations that fail, programs of their own. Whether it works is tried, with
// Observe, whose Recorder is given the object and the flag Undeclared.
func Linkable(dir string, cases []Case, o Options) (linked, included []Case, err error) {
	o.Linked = true
	byFunction := map[string][]Case{}
	var order []string
	for _, c := range cases {
		if d := o.driver(c); d == nil || d.Function == "main" || len(d.Replaced) > 0 || d.Fails != "" ||
			o.Observe == nil {
			included = append(included, c)
			continue
		}
		f := o.driver(c).Function
		if byFunction[f] == nil {
			order = append(order, f)
		}
		byFunction[f] = append(byFunction[f], c)
	}
	out := &folder{dir: dir, late: map[string]string{}}
	path := filepath.Join(dir, recordFile)
	defer func() { _ = os.Remove(path) }()
	works := func(functions []string) (bool, error) {
		var some []Case
		for _, f := range functions {
			some = append(some, byFunction[f]...)
		}
		p := o
		tests, _, err := p.prepare(out, some)
		return err == nil && len(tests) > 0 && compiles(path, tests, p) == nil, err
	}
	// Halves of what does not compile as a whole: few functions are the culprits.
	var try func(functions []string) error
	try = func(functions []string) error {
		if len(functions) == 0 {
			return nil
		}
		ok, err := works(functions)
		switch {
		case err != nil:
			return err
		case ok:
			for _, f := range functions {
				linked = append(linked, byFunction[f]...)
			}
			return nil
		case len(functions) == 1:
			own := byFunction[functions[0]]
			for i := range own {
				own[i].Declare = true
			}
			if ok, err := works(functions); err != nil {
				return err
			} else if ok {
				linked = append(linked, own...)
				return nil
			}
			for i := range own {
				own[i].Declare = false
			}
			included = append(included, byFunction[functions[0]]...)
			return nil
		}
		half := len(functions) / 2
		if err := try(functions[:half]); err != nil {
			return err
		}
		return try(functions[half:])
	}
	err = try(order)
	for _, list := range [][]Case{linked, included} {
		slices.SortStableFunc(list, func(a, b Case) int { return a.Number - b.Number })
	}
	return linked, included, err
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
		if !t.Declare || seen[d.Function] {
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
		for _, g := range d.Inputs[:d.Globals] {
			if !seen[g.Name] {
				seen[g.Name] = true
				s.WriteString("extern " + g.Type.Declare(g.Name) + ";\n")
			}
		}
	}
	if s.Len() > 0 {
		s.WriteString("\n")
	}
	return s.String()
}
