package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/input"
)

// mostOwn is how many of the unit's own objects a pointer may lead to, beside what is made up.
const mostOwn = 3

// ownObjects are C for the addresses of the unit's constant objects that a pointer to a constant structure may lead to,
// in the order of the source, where that structure holds pointers to functions: operations, an encoding. What stubs
// do instead of those is no operation of the program's. An object that begins with the structure is one, too.
func (b *builder) ownObjects(elem cc.Type) (out []string) {
	if b.fn == nil || b.before || recordName(elem) == "" || !holdsFunctions(elem) {
		return nil
	}
	for _, d := range b.constants() {
		path, ok := beginsWith(d.Type(), recordName(elem))
		if ok && len(out) < mostOwn {
			out = append(out, "&"+d.Name()+path)
		}
	}
	return out
}

// toOwn lets a pointer lead to one of them.
func (b *builder) toOwn(in *input.Input, lv, object string) {
	b.cur.line("%s = (void *)%s;", lv, object)
	in.Targets = append(in.Targets, input.Target{Object: object})
}

// constants are the constant structures that the unit defines, in the order of the source.
func (s *shared) constants() []*cc.Declarator {
	if s.ownConstants != nil {
		return s.ownConstants
	}
	s.ownConstants = []*cc.Declarator{}
	for _, nodes := range s.unit.AST.Scope.Nodes {
		for _, n := range nodes {
			d, ok := n.(*cc.Declarator)
			if !ok || d.IsTypename() || s.an.initial[d.Name()] == nil || s.system(d) {
				continue
			}
			if _, record := d.Type().(*cc.StructType); record && s.an.constant(d) {
				s.ownConstants = append(s.ownConstants, d)
				break
			}
		}
	}
	slices.SortFunc(s.ownConstants, func(a, b *cc.Declarator) int {
		return a.Position().Offset - b.Position().Offset
	})
	return s.ownConstants
}

// beginsWith is the path to what a structure begins with, if that is of a type: "" where it is that itself.
func beginsWith(t cc.Type, record string) (path string, ok bool) {
	for {
		if recordName(t) == record {
			return path, true
		}
		x, isStruct := t.(*cc.StructType)
		if !isStruct || x.NumFields() == 0 || x.FieldByIndex(0) == nil || x.FieldByIndex(0).Name() == "" {
			return "", false
		}
		path += "." + x.FieldByIndex(0).Name()
		t = x.FieldByIndex(0).Type()
	}
}

// holdsFunctions reports whether a structure has members that point to functions, or arrays of such.
func holdsFunctions(t cc.Type) bool {
	x, ok := t.(*cc.StructType)
	if !ok {
		return false
	}
	for i := range x.NumFields() {
		f := x.FieldByIndex(i)
		if f == nil {
			continue
		}
		if p, ok := innermost(f.Type()).(*cc.PointerType); ok && p.Elem().Kind() == cc.Function {
			return true
		}
	}
	return false
}
