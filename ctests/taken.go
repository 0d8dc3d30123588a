package ctests

import (
	"regexp"

	"klabel/input"
)

// take keeps variables of a test from the names that the test needs for what the
// program calls so: types and functions. Behind "rax rax;" no other "rax *" is a type.
func (w *body) take(d *input.Driver) {
	w.names[d.Function] = true
	if d.Through != "" {
		w.names[d.Through] = true
	}
	for _, in := range d.Inputs {
		w.takeOf(in)
	}
	for _, s := range d.Steps {
		for _, c := range s.Choices {
			w.names[c.Function] = true
			for _, in := range c.Args {
				w.takeOf(in)
			}
		}
	}
}

func (w *body) takeOf(in *input.Input) {
	if in == nil {
		return
	}
	if in.Type != nil {
		if n := typeName(in.Type.Decl); n != "" {
			w.names[n] = true
		}
	}
	for _, p := range in.Parts {
		w.takeOf(p.Input)
	}
	for _, p := range in.Members {
		w.takeOf(p.Input)
	}
	for _, t := range in.Targets {
		if t.Function != "" {
			w.names[t.Function] = true
		}
		if t.Object != "" && t.Of == "" {
			w.names[word.FindString(t.Object)] = true
		}
		w.takeOf(t.Value)
	}
}

var (
	tag  = regexp.MustCompile(`\b(struct|union|enum)\s+\w+`)
	word = regexp.MustCompile(`\b[A-Za-z_]\w*\b`)
	// qualifiers may stand before a type's name.
	qualifiers = map[string]bool{"const": true, "volatile": true, "_Atomic": true, "restrict": true}
)

// typeName is the name by which a declaration calls its type: "" for a structure with
// a tag, whose name a variable may have.
func typeName(decl string) string {
	for _, n := range word.FindAllString(tag.ReplaceAllString(decl, "-"), -1) {
		if !qualifiers[n] {
			return n
		}
	}
	return ""
}
