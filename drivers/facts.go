package drivers

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// facts are what the body of one function, or the initial value of a variable,
// tells. They are collected once for all the drivers of a unit.
type facts struct {
	names  []*cc.Declarator  // at file scope, each once, in order
	access map[string]access // of the variables among them
	fields map[string]bool   // names of fields that are read or written
	// assigned are those that are assigned to, with a point before them.
	assigned map[string]bool
	// bytes says that bytes of a structure are reached by other means than the
	// names of its fields.
	bytes     bool
	floats    map[float64]bool // floating-point constants
	ints      map[float64]bool // integer constants
	statics   []string         // static variables of the function's own that it may write
	taken     map[string]bool  // functions that are mentioned and not called
	sizes     *sizes
	indirect  bool // functions are called through pointers
	addresses bool // an address becomes a number
	stores    bool // to what has no name of its own: an item, a member, what a pointer leads to
	assembly  bool
	restless  bool                // something volatile or atomic is reached through a pointer, or as a member
	moving    []string            // static variables of the function's own that are volatile
	argument  cc.Type             // of the first va_arg
	pointers  bool                // some va_arg is a pointer
	integers  bool                // some is an integer
	fractions bool                // some is of a floating-point type
	printed   map[string]bool     // functions that write, of which more than the writing matters
	buffer    int64               // characters of its largest local array of them
	followed  map[string]bool     // pointers, as nameOf names them, that are looked behind
	carried   map[string][]string // where others are assigned to
}

// factsOf reads a function's body, or an initial value.
func factsOf(u *csource.Unit, body cc.Node, constants map[string]int64) *facts {
	out := &facts{sizes: newSizes(), access: map[string]access{}, taken: map[string]bool{}, fields: map[string]bool{},
		assigned: map[string]bool{},
		followed: map[string]bool{}, carried: map[string][]string{},
		printed: map[string]bool{}, floats: map[float64]bool{}, ints: map[float64]bool{}}
	out.sizes.constants = constants
	seen := map[string]bool{}
	u.WalkParents(body, func(n cc.Node, above []cc.Node) bool {
		out.sizes.see(u, n)
		out.restless = out.restless || u.RestlessAccess(n)
		if e, ok := n.(cc.ExpressionNode); ok {
			out.follow(e, above)
		}
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			out.stores = out.stores || x.Case != cc.AssignmentExpressionCond && !isName(x.UnaryExpression)
			if x.Case == cc.AssignmentExpressionAssign {
				out.assigned[nameOf(x.UnaryExpression)] = true
			}
		case *cc.UnaryExpression:
			out.stores = out.stores || (x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec) &&
				!isName(x.UnaryExpression)
		case *cc.PostfixExpression:
			out.stores = out.stores || (x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec) &&
				!isName(x.PostfixExpression)
			if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect {
				out.fields[x.Token2.SrcStr()] = true
			}
			if x.Case == cc.PostfixExpressionCall && outputs[csource.Callee(x)] && !onlyWrites(x, above) {
				out.printed[csource.Callee(x)] = true
			}
			out.indirect = out.indirect || x.Case == cc.PostfixExpressionCall && !direct(x.PostfixExpression)
		case *cc.CastExpression:
			if x.Case == cc.CastExpressionCast && x.CastExpression != nil {
				from, to := x.CastExpression.Type(), x.Type()
				out.bytes = out.bytes || rawBytes(from, to)
				if t := argumentOfList(x); t != nil {
					if out.argument == nil {
						out.argument = t
					}
					_, pointer := t.(*cc.PointerType)
					out.pointers = out.pointers || pointer
					out.integers = out.integers || cc.IsIntegerType(t)
					out.fractions = out.fractions || cc.IsFloatingPointType(t) && !cc.IsComplexType(t)
				}
				_, address := from.(*cc.PointerType)
				out.addresses = out.addresses || address && cc.IsIntegerType(to)
			}
		case *cc.Asm, *cc.AsmStatement:
			out.assembly = true
		case *cc.PrimaryExpression:
			switch x.Case {
			case cc.PrimaryExpressionIdent:
				out.bytes = out.bytes || comparesBytes[x.Token.SrcStr()]
				d, ok := x.ResolvedTo().(*cc.Declarator)
				if !ok || d.IsParam() || d.IsTypename() {
					break
				}
				if d.Linkage() == cc.None {
					if a, ok := d.Type().Undecay().(*cc.ArrayType); ok && a.Elem().Kind() == cc.Char {
						out.buffer = max(out.buffer, a.Len())
					}
					if d.IsStatic() && changesByItself(u, d.Type()) && !slices.Contains(out.moving, d.Name()) {
						out.moving = append(out.moving, d.Name())
					}
					if d.IsStatic() && accessOf(x, d.Type(), above)&writes != 0 && !functionName[d.Name()] &&
						!slices.Contains(out.statics, d.Name()) {
						out.statics = append(out.statics, d.Name())
					}
					break
				}
				out.access[d.Name()] |= accessOf(x, d.Type(), above)
				if _, isFunc := d.Type().(*cc.FunctionType); isFunc && !called(x, above) {
					out.taken[d.Name()] = true
				}
				if !seen[d.Name()] {
					seen[d.Name()] = true
					out.names = append(out.names, d)
				}
			case cc.PrimaryExpressionFloat:
				if f, err := strconv.ParseFloat(strings.TrimRight(x.Token.SrcStr(), "fFlL"), 64); err == nil {
					out.floats[f] = true
				}
			case cc.PrimaryExpressionInt:
				if i, ok := integer(x.Value()); ok {
					out.ints[float64(i)] = true
				}
			}
		}
		return true
	})
	out.sizes.finish()
	return out
}

// direct reports whether what is called is a function by its name.
func direct(callee cc.ExpressionNode) bool {
	id, ok := csource.Unparen(callee).(*cc.PrimaryExpression)
	if !ok || id.Case != cc.PrimaryExpressionIdent {
		return false
	}
	d, ok := id.ResolvedTo().(*cc.Declarator)
	if !ok {
		return true // declared by its use
	}
	_, ok = d.Type().(*cc.FunctionType)
	return ok
}

// called reports whether a function is mentioned to call it.
func called(n cc.Node, above []cc.Node) bool {
	for i := len(above) - 1; i >= 0; i-- {
		switch x := above[i].(type) {
		case *cc.PrimaryExpression:
			n = x
		case *cc.PostfixExpression:
			return x.Case == cc.PostfixExpressionCall && x.PostfixExpression == n
		default:
			return false
		}
	}
	return false
}

var comparesBytes = map[string]bool{"memcmp": true, "bcmp": true, "__builtin_memcmp": true, "__builtin_bcmp": true}

// rawBytes reports whether a cast lets a structure be read as numbers.
func rawBytes(from, to cc.Type) bool {
	p, ok := from.(*cc.PointerType)
	if !ok || !isRecord(p.Elem()) {
		return false
	}
	q, ok := to.(*cc.PointerType)
	return ok && !isRecord(q.Elem()) && q.Elem().Kind() != cc.Void
}

// numbers are the constants to try as floating-point inputs: floating-point
// ones, or integers when there are no others.
func (f *facts) numbers() []float64 {
	from := f.floats
	if len(from) == 0 {
		from = f.ints
	}
	var out []float64
	for v := range from {
		out = append(out, v)
	}
	sort.Float64s(out)
	return out
}
