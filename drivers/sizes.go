package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// sizes are what the accesses of a function tell of how many items there are
// behind pointers. Values are named as in the function: "n" for a variable,
// ".n" for a field of whatever structure.
type sizes struct {
	sums  ties // of an index or a sum: in p[i] p and i
	order ties // of a comparison: in i < s->n i and .n
	// bounds are the numbers of items that constant indexes, or indexes
	// that are compared with constants, ask for.
	bounds map[string]int64
	limits map[string]int64        // constants that variables are compared with
	later  []indexed               // indexes that are variables
	moved  map[string]bool         // pointers that are indexed or moved
	flows  map[string][]string     // where values that have a name are assigned to
	views  map[string]cc.Type      // what untyped pointers are taken to lead to
	passed map[string][]argumentOf // arguments that are names: where they go
}

// indexed is an access to at the index of, plus a constant.
type indexed struct {
	at, of string
	plus   int64
}

// argumentOf is a parameter of a function.
type argumentOf struct {
	function string
	index    int
}

// ties are names that stand on both sides of something.
type ties map[string]map[string]bool

func (t ties) tie(u *csource.Unit, l, r cc.Node) {
	for _, a := range namesIn(u, l) {
		for _, b := range namesIn(u, r) {
			if a == b {
				continue
			}
			for _, p := range [][2]string{{a, b}, {b, a}} {
				if t[p[0]] == nil {
					t[p[0]] = map[string]bool{}
				}
				t[p[0]][p[1]] = true
			}
		}
	}
}

// maxBound bounds what an index may ask for.
const maxBound = 4096

func newSizes() *sizes {
	return &sizes{sums: ties{}, order: ties{}, bounds: map[string]int64{}, limits: map[string]int64{},
		passed: map[string][]argumentOf{},
		moved:  map[string]bool{}, flows: map[string][]string{}, views: map[string]cc.Type{}}
}

// see looks at one node.
func (s *sizes) see(u *csource.Unit, n cc.Node) {
	switch x := n.(type) {
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			s.move(x.PostfixExpression)
		case cc.PostfixExpressionIndex:
			s.move(x.PostfixExpression)
			s.sums.tie(u, x.PostfixExpression, x.ExpressionList)
			s.index(x.PostfixExpression, x.ExpressionList)
		case cc.PostfixExpressionCall:
			i := 0
			for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
				if name := nameOf(l.AssignmentExpression); name != "" {
					if f := csource.Callee(x); f != "" {
						s.passed[name] = append(s.passed[name], argumentOf{f, i})
					}
				}
				i++
			}
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
			s.move(x.UnaryExpression)
		}
	case *cc.AssignmentExpression:
		switch x.Case {
		case cc.AssignmentExpressionAssign:
			s.assign(nameOf(x.UnaryExpression), x.UnaryExpression.Type(), x.AssignmentExpression)
		case cc.AssignmentExpressionAdd, cc.AssignmentExpressionSub:
			s.move(x.UnaryExpression)
		}
	case *cc.InitDeclarator:
		if x.Initializer != nil && x.Initializer.Case == cc.InitializerExpr {
			s.assign(x.Declarator.Name(), x.Declarator.Type(), x.Initializer.AssignmentExpression)
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			s.view(x.CastExpression, x.Type())
		}
	case *cc.AdditiveExpression:
		s.move(x.AdditiveExpression)
		s.sums.tie(u, x.AdditiveExpression, x.MultiplicativeExpression)
		if _, ok := x.AdditiveExpression.Type().(*cc.PointerType); ok && x.Case == cc.AdditiveExpressionAdd {
			s.index(x.AdditiveExpression, x.MultiplicativeExpression)
		}
	case *cc.RelationalExpression:
		s.order.tie(u, x.RelationalExpression, x.ShiftExpression)
		s.compare(x.RelationalExpression, x.ShiftExpression)
		s.compare(x.ShiftExpression, x.RelationalExpression)
	case *cc.EqualityExpression:
		s.compare(x.EqualityExpression, x.RelationalExpression)
	}
}

// move notes that a pointer is moved, or indexed.
func (s *sizes) move(e cc.ExpressionNode) {
	if _, ok := e.Type().(*cc.PointerType); ok && !isCast(e) {
		if name := nameOf(e); name != "" {
			s.moved[name] = true
		}
	}
}

func isCast(e cc.ExpressionNode) bool {
	x, ok := csource.Unparen(e).(*cc.CastExpression)
	return ok && x.Case == cc.CastExpressionCast
}

// assign notes where a value with a name goes.
func (s *sizes) assign(to string, t cc.Type, from cc.ExpressionNode) {
	name := nameOf(from)
	if name == "" || to == "" || name == to {
		return
	}
	if _, ok := t.(*cc.PointerType); ok {
		s.flows[name] = append(s.flows[name], to)
		s.view(from, t)
	}
}

// view notes that an untyped pointer is taken to lead to something.
func (s *sizes) view(from cc.ExpressionNode, to cc.Type) {
	p, ok := from.Type().(*cc.PointerType)
	q, ok2 := to.(*cc.PointerType)
	if !ok || !ok2 || p.Elem().Kind() != cc.Void || q.Elem().Kind() == cc.Void || q.Elem().Kind() == cc.Function {
		return
	}
	if name := nameOf(from); name != "" && s.views[name] == nil {
		s.views[name] = q.Elem()
	}
}

// nameOf is the name of a variable, of a field, or, as "*p", of what a variable
// leads to; "" for anything else.
func nameOf(e cc.ExpressionNode) string {
	switch x := csource.Unparen(e).(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			if id, ok := csource.Unparen(x.CastExpression).(*cc.PrimaryExpression); ok {
				if name := nameOf(id); name != "" {
					return "*" + name
				}
			}
		}
	case *cc.PrimaryExpression:
		if d, ok := x.ResolvedTo().(*cc.Declarator); ok && x.Case == cc.PrimaryExpressionIdent && !d.IsTypename() {
			return d.Name()
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect {
			return "." + x.Token2.SrcStr()
		}
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			return nameOf(x.PostfixExpression)
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			return nameOf(x.CastExpression)
		}
	}
	return ""
}

// namesIn are the names in an expression of sums, brackets and casts.
func namesIn(u *csource.Unit, e cc.Node) (out []string) {
	u.Walk(e, func(n cc.Node) bool {
		x, ok := n.(cc.ExpressionNode)
		if !ok {
			return true
		}
		if name := nameOf(x); name != "" {
			out = append(out, name)
			return false
		}
		_, isCall := n.(*cc.PostfixExpression)
		return !isCall
	})
	return out
}

func (s *sizes) index(base, at cc.ExpressionNode) {
	name := nameOf(base)
	if name == "" || isCast(base) {
		return // items of another type
	}
	switch x := csource.Unparen(at).(type) {
	case *cc.AdditiveExpression:
		if k, ok := integer(x.MultiplicativeExpression.Value()); ok && x.Case == cc.AdditiveExpressionAdd {
			if of := nameOf(x.AdditiveExpression); of != "" {
				s.later = append(s.later, indexed{name, of, k})
			}
			return
		}
	}
	if k, ok := integer(at.Value()); ok {
		s.want(name, k+1)
	} else if of := nameOf(at); of != "" {
		s.later = append(s.later, indexed{name, of, 0})
	}
}

func (s *sizes) want(name string, items int64) {
	if items > 0 && items <= maxBound {
		s.bounds[name] = max(s.bounds[name], items)
	}
}

func (s *sizes) compare(v, with cc.ExpressionNode) {
	if k, ok := integer(with.Value()); ok {
		if name := nameOf(v); name != "" && k > 0 && k < maxBound {
			s.limits[name] = max(s.limits[name], k)
		}
	}
}

// finish resolves the indexes that are variables.
func (s *sizes) finish() {
	for _, x := range s.later {
		if k, ok := s.limits[x.of]; ok {
			s.want(x.at, k+x.plus)
		}
	}
}

// boundOf is the number of items that a function, or what it hands a parameter
// on to, asks for behind a parameter.
func (a *analysis) boundOf(f *csource.Function, param string, depth int) int64 {
	s := a.of(f.Name).sizes
	out := s.bounds[param]
	if depth == 0 {
		return out
	}
	for _, to := range s.flows[param] {
		out = max(out, s.bounds[to])
	}
	for _, to := range s.passed[param] {
		if g := a.funcs[to.function]; g != nil && to.index < len(g.Params) {
			out = max(out, a.boundOf(g, g.Params[to.index].Name(), depth-1))
		}
	}
	return out
}

// isArray reports whether a function, or what it hands a value on to, indexes
// or moves a pointer.
func (a *analysis) isArray(f *csource.Function, name string, depth int) bool {
	s := a.of(f.Name).sizes
	if s.moved[name] {
		return true
	}
	if depth == 0 {
		return false
	}
	for _, to := range s.flows[name] {
		if !strings.HasPrefix(to, ".") && a.isArray(f, to, depth-1) {
			return true
		}
	}
	for _, to := range s.passed[name] {
		if g := a.funcs[to.function]; g != nil && to.index < len(g.Params) &&
			a.isArray(g, g.Params[to.index].Name(), depth-1) {
			return true
		}
	}
	return false
}

// viewOf is what a function, or what it hands a parameter on to, takes an
// untyped pointer to lead to; nil when nothing tells.
func (a *analysis) viewOf(f *csource.Function, name string, depth int) cc.Type {
	s := a.of(f.Name).sizes
	if t := s.views[name]; t != nil || depth == 0 {
		return t
	}
	for _, to := range s.passed[name] {
		if g := a.funcs[to.function]; g != nil && to.index < len(g.Params) {
			if t := a.viewOf(g, g.Params[to.index].Name(), depth-1); t != nil {
				return t
			}
		}
	}
	return nil
}

// fieldBound is the number of items that functions ask for behind a field.
func (a *analysis) fieldBound(r reach, field string) (out int64) {
	for _, f := range r.funcs {
		out = max(out, a.of(f.Name).sizes.bounds["."+field])
	}
	return out
}

// counted reports whether n is compared with an index of p.
func (s *sizes) counted(p, n string) bool {
	for index := range s.sums[p] {
		if s.order[index][n] {
			return true
		}
	}
	return false
}

// asked is the number of items that the code asks for behind a pointer: a
// parameter, or a field.
func (b *builder) asked(name string, depth int) int64 {
	if b.fn == nil {
		return 0
	}
	if depth == 0 && !strings.ContainsAny(name, ".>[") {
		return b.an.boundOf(b.fn, name, 3)
	}
	if i := strings.LastIndexAny(name, ".>"); i >= 0 {
		return b.an.fieldBound(b.reach, name[i+1:])
	}
	return 0
}

// inFunctions asks of a pointer that the driver builds, by the name that it has
// in the functions: a parameter, what one leads to, a field.
func (b *builder) inFunctions(name string, ask func(f *csource.Function, name string) bool) bool {
	if b.fn == nil {
		return false
	}
	if !strings.ContainsAny(name, ".>[") {
		return ask(b.fn, name)
	}
	i := strings.LastIndexAny(name, ".>")
	if i < 0 || strings.Contains(name[i:], "[") {
		return false
	}
	return slices.ContainsFunc(b.reach.funcs, func(f *csource.Function) bool { return ask(f, "."+name[i+1:]) })
}

// isArray reports whether the code treats what a pointer leads to as several
// items.
func (b *builder) isArray(name string) bool {
	return b.inFunctions(name, func(f *csource.Function, name string) bool { return b.an.isArray(f, name, 3) })
}

// view is what the code takes an untyped pointer to lead to, nil when nothing
// tells.
func (b *builder) view(name string) (t cc.Type) {
	b.inFunctions(name, func(f *csource.Function, name string) bool {
		t = b.an.viewOf(f, name, 3)
		return t != nil
	})
	return t
}

// lengths keeps the integers of a structure that the code uses as indexes of,
// or compares with indexes of, what its pointers lead to within what there is.
// A name alone tells only where the code does not.
func (b *builder) lengths(x *cc.StructType, in *input.Input, place string) {
	if b.fn == nil || b.o.NoGuess {
		return
	}
	for i := 0; i < x.NumFields(); i++ {
		f := x.FieldByIndex(i)
		if f == nil || f.Name() == "" || f.IsBitfield() || !cc.IsIntegerType(f.Type()) || f.Type().Kind() == cc.Enum ||
			f.Type().Kind() == cc.Bool {
			continue
		}
		name := child(in.Name, "."+f.Name())
		if b.rel.mentions(f.Name()) {
			continue // the user says
		}
		capacity, of := int64(-1), ""
		for _, p := range in.Parts {
			n := itemsOf(p.Input)
			field := strings.TrimPrefix(p.Path, ".")
			if n < 0 || strings.ContainsAny(field, ".[") || !b.counts(f.Name(), field) {
				continue
			}
			if capacity < 0 || n < capacity {
				capacity, of = n, p.Name
			}
		}
		if capacity < 0 {
			continue
		}
		if cc.IsSignedInteger(f.Type()) {
			b.cur.line("klee_assume((%s.%s >= 0) & (%s.%s <= %s));", place, f.Name(), place, f.Name(),
				literal(capacity))
		} else {
			b.cur.line("klee_assume(%s.%s <= %s);", place, f.Name(), literal(capacity))
		}
		b.narrow("%s within the items behind %s", name, of)
	}
}

// counts reports whether an integer field tells of the items behind a pointer
// field.
func (b *builder) counts(integer, pointer string) bool {
	used := false
	for _, f := range b.reach.funcs {
		s := b.an.of(f.Name).sizes
		if s.sums["."+pointer]["."+integer] || s.counted("."+pointer, "."+integer) {
			return true
		}
		used = used || len(s.order["."+integer]) > 0
	}
	return used && countName.MatchString(integer)
}

// itemsOf is the number of items behind a pointer to an array, -1 for others.
func itemsOf(p *input.Input) int64 {
	if p.Type.Kind != input.Pointer || len(p.Targets) == 0 {
		return -1
	}
	t := p.Targets[0]
	if t.Value == nil || t.Single || t.Value.Type.Kind != input.Array {
		return -1
	}
	if t.Value.Text {
		return t.Value.Type.Len - 1
	}
	return t.Value.Type.Len
}

// guessCounts finds the integers that tell how many items there are behind
// pointers, among the parameters: those that the code compares with indexes of
// the pointer, then "T *p, ..., int n", where the code does not speak against it.
func (b *builder) guessCounts(params []param) (notes []string) {
	r := b.rel
	s := b.an.of(b.fn.Name).sizes
	for i, p := range params {
		pt, ok := p.typ.(*cc.PointerType)
		if !ok || r.counts[p.name] != "" || contains(b.o.Strings, p.name) || isRecord(pt.Elem()) &&
			pt.Elem().IsIncomplete() {
			continue
		}
		if _, isFunc := pt.Elem().(*cc.FunctionType); isFunc {
			continue
		}
		if a, ok := pt.Undecay().(*cc.ArrayType); ok && a.Len() > 0 {
			continue
		}
		if isRecord(pt.Elem()) && !b.uses[p.name].indexed {
			continue // one item, whatever follows it
		}
		n := ""
		for _, q := range params {
			if plainInteger(q.typ) && s.counted(p.name, q.name) {
				n = q.name
				break
			}
		}
		if n == "" {
			n = countBeside(params, i)
		}
		if n == "" {
			continue
		}
		r.counts[p.name], r.guess[p.name] = n, true
		notes = append(notes, fmt.Sprintf("%s is taken for an array of at most %d items of which %s tells the "+
			"number, as with --array %s:%s", p.name, b.o.MaxArray, n, p.name, n))
	}
	return notes
}

func plainInteger(t cc.Type) bool {
	return cc.IsIntegerType(t) && t.Kind() != cc.Enum && t.Kind() != cc.Bool
}

// countBeside is the integer that follows a pointer, or comes before it, and is
// called like a number of items.
func countBeside(params []param, i int) string {
	for _, q := range params[i+1:] {
		if cc.IsIntegerType(q.typ) && q.typ.Kind() != cc.Enum {
			if countName.MatchString(q.name) {
				return q.name
			}
			break
		}
		if _, isPtr := q.typ.(*cc.PointerType); !isPtr {
			break
		}
	}
	if i > 0 && cc.IsIntegerType(params[i-1].typ) && countName.MatchString(params[i-1].name) {
		return params[i-1].name
	}
	return ""
}
