package annotate

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"klabel/csource"
	"klabel/toolchain"
)

// folding is what the compiler's front end makes of a predicate.
type folding uint8

const (
	unfolded folding = iota
	alwaysFalse
	alwaysTrue
)

func fixedAs(v bool) folding {
	if v {
		return alwaysTrue
	}
	return alwaysFalse
}

// foldable reports whether a predicate may be constant for the compiler: its
// site says so, or it reads no variable.
func (m *mark) foldable() bool {
	return m.pred != "1" && (m.site.fold || !readsNames(m.pred))
}

var typeWords = map[string]bool{"sizeof": true, "int": true, "unsigned": true, "long": true, "char": true,
	"short":  true,
	"signed": true, "float": true, "double": true, "_Bool": true}

// readsNames looks for an identifier that may be a variable.
func readsNames(p string) bool {
	for i := 0; i < len(p); {
		c := p[i]
		switch {
		case c == '"' || c == '\'':
			for i++; i < len(p) && p[i] != c; i++ {
				if p[i] == '\\' {
					i++
				}
			}
			i++
		case c >= '0' && c <= '9':
			for i < len(p) && word(p[i]) {
				i++
			}
		case word(c):
			j := i
			for j < len(p) && word(p[j]) {
				j++
			}
			if !typeWords[p[i:j]] {
				return true
			}
			i = j
		default:
			i++
		}
	}
	return false
}

func word(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

var foldMessage = regexp.MustCompile(`klabel (false|true) (\d+)`)

// fold asks the compiler which predicates are constant: each candidate becomes
// static assertions that fail if it folds. Predicates without names need
// nothing of the program, the others stand in their functions.
func (p *plan) fold(ctx context.Context, c *toolchain.Clang, flags toolchain.Flags) error {
	byID := map[string]*mark{}
	inBody := map[*mark]bool{}
	bodies := map[*csource.Function]bool{} // those that hold candidates
	var outside strings.Builder
	for _, s := range p.sites {
		for _, m := range s.marks() {
			switch {
			case m.pred == "0":
				m.fixed = alwaysFalse
			case m.fixed != unfolded || !m.foldable():
			case readsNames(m.pred):
				byID[m.id.String()], inBody[m], bodies[s.fn.Function] = m, true, true
			default:
				byID[m.id.String()] = m
				assert(&outside, m)
			}
		}
	}
	if len(byID) == 0 || c == nil {
		return nil
	}
	var text []byte
	if len(bodies) > 0 {
		within := func(s *site) bool { return s.kind == fileScope || bodies[s.fn.Function] }
		e := p.someEdits(within, func(b *strings.Builder, m *mark) {
			if !inBody[m] {
				b.WriteByte(';')
				return
			}
			assert(b, m)
		})
		for _, f := range p.unit.Functions() {
			if !bodies[f] && f.Def.DeclarationList == nil {
				e.Replace(f.Body, ";") // a declaration is enough, and quick to read
			}
		}
		text = e.Apply()
	}
	text = append(text, "\nvoid klb_fold(void){"+outside.String()+"}\n"...)
	dir, err := os.MkdirTemp("", "klabel-fold-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "fold.i")
	if err := os.WriteFile(file, append([]byte(prelude()), text...), 0o600); err != nil {
		return err
	}
	found, err := c.Errors(ctx, file, flags.Language())
	if err != nil || ctx.Err() != nil {
		return ctx.Err() // without an answer no predicate is fixed
	}
	for _, f := range foldMessage.FindAllStringSubmatch(found, -1) {
		if m := byID[f[2]]; m != nil {
			m.fixed = alwaysTrue
			if f[1] == "false" {
				m.fixed = alwaysFalse
			}
		}
	}
	return nil
}

func assert(b *strings.Builder, m *mark) {
	for _, v := range []string{"false !", "true !!"} {
		name, not, _ := strings.Cut(v, " ")
		b.WriteString("{_Static_assert(!(__builtin_constant_p(" + m.pred + ") && " + not + "(" + m.pred +
			")), \"klabel " + name + " " + m.id.String() + "\");}")
	}
}
