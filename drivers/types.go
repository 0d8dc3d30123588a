package drivers

import (
	"fmt"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// predefined spells the types that C predefines.
var predefined = map[cc.Kind]string{
	cc.Bool: "_Bool", cc.Char: "char", cc.SChar: "signed char", cc.UChar: "unsigned char",
	cc.Short: "short", cc.UShort: "unsigned short", cc.Int: "int", cc.UInt: "unsigned int",
	cc.Long: "long", cc.ULong: "unsigned long", cc.LongLong: "long long", cc.ULongLong: "unsigned long long",
	cc.Int128: "__int128", cc.UInt128: "unsigned __int128",
	cc.Float: "float", cc.Double: "double", cc.LongDouble: "long double", cc.Void: "void",
	cc.Float32: "_Float32", cc.Float64: "_Float64", cc.Float32x: "_Float32x", cc.Float64x: "_Float64x",
	cc.Float128: "_Float128", cc.Float16: "_Float16",
}

// typeError is a type that cannot be built; the caller adds whose it is.
type typeError struct{ typ, reason string }

func (e *typeError) Error() string { return e.typ + ": " + e.reason }

// types translates cc's types, once each.
type types struct {
	scope *cc.Scope
	seen  map[cc.Type]*input.Type
	// packed says that layouts may differ from what the parser says; see oddLayouts.
	packed bool
	items  map[*cc.Field]string // see asItem
	plain  map[cc.Type]string   // see resolved
}

// visible reports whether a typedef can be named at the end of the unit.
func (ts *types) visible(d *cc.Declarator) bool {
	if d == nil || d.Name() == "" || csource.StandIn(d.Name()) != "" {
		return false
	}
	for _, n := range ts.scope.Nodes[d.Name()] {
		if n == cc.Node(d) {
			return true
		}
	}
	return false
}

// isTypedef reports whether a name stands for a type at the end of the unit.
func (ts *types) isTypedef(name string) bool {
	if ts == nil {
		return false
	}
	for _, n := range ts.scope.Nodes[name] {
		if d, ok := n.(*cc.Declarator); ok && d.IsTypename() {
			return true
		}
	}
	return false
}

// of translates a type. Its top-level qualifiers are dropped: the driver must
// be able to write the value.
func (ts *types) of(t cc.Type) (*input.Type, error) {
	if known := ts.seen[t]; known != nil {
		return known, nil
	}
	if reason := unbuildable(t); reason != "" {
		return nil, &typeError{ts.name(t), reason}
	}
	decl, err := ts.declare(t, "@", true)
	if err != nil {
		return nil, err
	}
	out := &input.Type{Decl: decl, Size: t.Size(), Tag: ts.tag(t)}
	if out, err = ts.describe(t, out); err != nil {
		return nil, err
	}
	ts.seen[t] = out
	return out, nil
}

// unbuildable says why no value of the type can be made, "" when one can.
func unbuildable(t cc.Type) string {
	switch x := t.(type) {
	case *cc.StructType:
		switch {
		case x.IsIncomplete() && !x.HasFlexibleArrayMember():
			return "which is declared but not defined here"
		case tokenText(x.Tag()) == "_IO_FILE":
			return "a stream of the C library"
		case tokenText(x.Tag()) == "__va_list_tag":
			return "a list of variable arguments"
		}
	case *cc.UnionType:
		if x.IsIncomplete() {
			return "which is declared but not defined here"
		}
	case *cc.EnumType:
		if x.IsIncomplete() {
			return "which is declared but not defined here"
		}
	}
	return ""
}

func tokenText(t cc.Token) string { return t.SrcStr() }

// name is the type as a user would write it.
func (ts *types) name(t cc.Type) string {
	if s, err := ts.declare(t, "", true); err == nil && s != anonymous {
		return strings.TrimSpace(s)
	}
	return t.String()
}

func (ts *types) describe(t cc.Type, out *input.Type) (_ *input.Type, err error) {
	switch x := t.(type) {
	case *cc.PointerType:
		out.Kind = input.Pointer
		return out, nil // what it points to is looked at when it is built
	case *cc.ArrayType:
		out.Kind = input.Array
		out.Len = max(x.Len(), 0)
		out.Elem, err = ts.of(x.Elem())
		return out, err
	case *cc.StructType:
		out.Kind = input.Struct
		return out, ts.fields(out, x.NumFields(), x.FieldByIndex)
	case *cc.UnionType:
		out.Kind = input.Union
		return out, ts.fields(out, x.NumFields(), x.FieldByIndex)
	case *cc.EnumType:
		out.Kind = input.Enum
		out.Size = x.UnderlyingType().Size()
		out.Signed = cc.IsSignedInteger(x.UnderlyingType())
		for _, e := range x.Enumerators() {
			v, ok := integer(e.Value())
			if !ok {
				return nil, &typeError{t.String(), "whose items have no known value"}
			}
			out.Enumerators = append(out.Enumerators, input.Enumerator{Name: e.Token.SrcStr(), Value: v})
		}
		return out, nil
	case *cc.FunctionType:
		out.Kind = input.Function
		return out, nil
	}
	switch k := t.Kind(); {
	case csource.Half(t):
		out.Kind = input.Float
	case k == cc.Void:
		out.Kind = input.Void
	case k == cc.Bool:
		out.Kind = input.Bool
	case cc.IsIntegerType(t):
		out.Kind = input.Int
		out.Signed = cc.IsSignedInteger(t)
		out.Char = k == cc.Char || k == cc.SChar || k == cc.UChar
	case cc.IsFloatingPointType(t):
		out.Kind = input.Float
	default:
		return nil, &typeError{t.String(), "which klabel does not build"}
	}
	return out, nil
}

func (ts *types) fields(out *input.Type, n int, field func(int) *cc.Field) error {
	for i := 0; i < n; i++ {
		f := field(i)
		if f == nil {
			continue
		}
		if f.IsFlexibleArrayMember() {
			continue
		}
		ft, err := ts.of(f.Type())
		if err != nil {
			if f.Type().Kind() != cc.Ptr {
				return err
			}
			ft = &input.Type{Kind: input.Pointer, Decl: "void *@", Size: f.Type().Size()}
		}
		ef := input.Field{Name: f.Name(), Type: ft, Offset: f.Offset()}
		if f.IsBitfield() {
			ef.Bits, ef.Shift = int(f.ValueBits()), f.OffsetBits()
			if ef.Name == "" {
				continue // padding
			}
		}
		out.Fields = append(out.Fields, ef)
	}
	return nil
}

// tag is the name by which C refers to a structure, union or enumeration.
func (ts *types) tag(t cc.Type) string {
	if d := t.Typedef(); ts.visible(d) {
		return d.Name()
	}
	if x, ok := t.(*cc.EnumType); ok {
		return tagged("enum ", x.Tag())
	}
	if tag := recordTag(t); tag != "" {
		return tag
	}
	return ts.asItem(t)
}

// recordTag is "struct s", whatever other names a structure or union has.
func recordTag(t cc.Type) string {
	switch x := t.(type) {
	case *cc.StructType:
		return tagged("struct ", x.Tag())
	case *cc.UnionType:
		return tagged("union ", x.Tag())
	}
	return ""
}

func tagged(kind string, t cc.Token) string {
	if s := t.SrcStr(); s != "" {
		return kind + s
	}
	return ""
}

// declare writes a declaration of inner with the type t. At the top qualifiers
// are left out, below they are kept.
func (ts *types) declare(t cc.Type, inner string, top bool) (string, error) {
	quals := ""
	if a := t.Attributes(); a != nil && !top {
		if a.IsConst() {
			quals += "const "
		}
		if a.IsVolatile() {
			quals += "volatile "
		}
	}
	if d := t.Typedef(); ts.visible(d) {
		if a := d.Type().Attributes(); a == nil || !a.IsConst() && !a.IsVolatile() {
			return quals + space(d.Name(), inner), nil
		} else if !top {
			return space(d.Name(), inner), nil // the name brings the qualifiers
		}
	}
	switch x := t.(type) {
	case *cc.PointerType:
		inner = "*" + quals + inner
		switch x.Elem().(type) {
		case *cc.ArrayType, *cc.FunctionType:
			if !ts.visible(x.Elem().Typedef()) {
				inner = "(" + inner + ")"
			}
		}
		if decayedConst(x) {
			if _, ok := x.Elem().(*cc.PointerType); ok && !ts.visible(x.Elem().Typedef()) {
				return ts.declare(x.Elem(), "const "+inner, false)
			}
			text, err := ts.declare(x.Elem(), inner, false)
			return "const " + text, err
		}
		return ts.declare(x.Elem(), inner, false)
	case *cc.ArrayType:
		n := ""
		if x.Len() >= 0 {
			n = strconv.FormatInt(x.Len(), 10)
		}
		// Qualifiers of an array are those of its items.
		return ts.declare(x.Elem(), inner+"["+n+"]", top)
	case *cc.FunctionType:
		return ts.declareFunction(x, inner)
	case *cc.StructType, *cc.UnionType, *cc.EnumType:
		if tag := ts.tag(t); tag != "" {
			return quals + space(tag, inner), nil
		}
		if e, ok := t.(*cc.EnumType); ok {
			return quals + space(predefined[e.UnderlyingType().Kind()], inner), nil
		}
		return quals + space(anonymous, inner), nil
	}
	name := csource.Foreign(t)
	if name == "" {
		name = predefined[t.Kind()]
	}
	if name == "" {
		return "", &typeError{t.String(), "which klabel does not build"}
	}
	return quals + space(name, inner), nil
}

// anonymous stands for a structure without a name. Such a type is only ever
// part of another, and reached through it.
const anonymous = "struct <anonymous>"

func space(name, inner string) string {
	if inner == "" {
		return name
	}
	return name + " " + inner
}

// decayedConst reports whether a pointer is a parameter of a constant array type that has a name: its items are
// constant, which the parser says of the array alone.
func decayedConst(x *cc.PointerType) bool {
	a, ok := x.Undecay().(*cc.ArrayType)
	return ok && a.Attributes() != nil && a.Attributes().IsConst() && !isConst(x.Elem())
}

func (ts *types) declareFunction(x *cc.FunctionType, inner string) (string, error) {
	var params []string
	for _, p := range x.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		s, err := ts.declare(p.Type(), "", false)
		if err != nil {
			return "", err
		}
		params = append(params, s)
	}
	switch {
	case x.IsVariadic() && len(params) > 0:
		params = append(params, "...")
	case len(params) == 0:
		params = []string{"void"}
	}
	return ts.declare(x.Result(), inner+"("+strings.Join(params, ", ")+")", false)
}

func integer(v cc.Value) (int64, bool) {
	switch x := v.(type) {
	case cc.Int64Value:
		return int64(x), true
	case cc.UInt64Value:
		return int64(x), true
	}
	return 0, false
}

// literal writes an integer as C of a type that holds it.
func literal(v int64) string {
	switch {
	case v == -1<<63:
		return "(-9223372036854775807L - 1)"
	case v < -1<<31 || v > 1<<31-1:
		return fmt.Sprintf("%dL", v)
	}
	return strconv.FormatInt(v, 10)
}
