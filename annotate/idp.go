package annotate

import (
	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
)

// inputPartition: IDP, the formals of a function are negative, zero and
// positive, NULL and not; each item of an enumeration; the members of
// structures; to a depth, what pointers lead to.
type inputPartition struct{}

func (inputPartition) mark(f *function, tag string) {
	depth := f.p.opts.idpDepth()
	for _, p := range f.Params {
		if p.Declarator == nil || p.Name() == "" || p.Declarator.IsVolatile() {
			continue
		}
		partition(f.entry(), p.Name(), p.Type(), nil, depth, tag)
	}
}

// maxMembers bounds the members of a structure that are looked at.
const maxMembers = 32

// partition adds the labels of a value; guards must hold before it is read.
func partition(s *site, text string, t cc.Type, guards []string, depth int, tag string) {
	add := func(p string) { s.add(guarded(guards, p), tag) }
	if volatileType(t) {
		return
	}
	if et, ok := t.Undecay().(*cc.EnumType); ok {
		for _, e := range et.Enumerators() {
			add(text + " == " + e.Token.SrcStr())
		}
		return
	}
	if n, ok := ctree.NumOf(t); ok {
		if n.Signed {
			add(text + " < 0")
		}
		add(text + " == 0")
		add(text + " > 0")
		return
	}
	switch t := t.Decay().(type) {
	case *cc.PointerType:
		add(text + " == 0")
		add(text + " != 0")
		if el := t.Elem(); depth > 0 && !el.IsIncomplete() && el.Kind() != cc.Void && el.Kind() != cc.Function {
			g := append(guards[:len(guards):len(guards)], text+" != 0")
			partition(s, "(*"+text+")", el, g, depth-1, tag)
		}
	case *cc.StructType:
		for i := 0; i < min(t.NumFields(), maxMembers); i++ {
			m := t.FieldByIndex(i)
			if m == nil || m.Name() == "" || m.Type().Kind() == cc.Array || m.IsFlexibleArrayMember() ||
				m.Declarator() != nil && m.Declarator().IsVolatile() {
				continue
			}
			partition(s, text+"."+m.Name(), m.Type(), guards, depth, tag)
		}
	}
}

func volatileType(t cc.Type) bool { return t.Attributes() != nil && t.Attributes().IsVolatile() }

func guarded(guards []string, p string) string {
	for i := len(guards) - 1; i >= 0; i-- {
		p = guards[i] + " && " + p
	}
	return p
}
