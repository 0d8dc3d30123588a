package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// sizes are what the accesses of a function tell of how many items there are
// behind pointers. Values are named as in the function: "n" for a variable,
// ".n" for a field of whatever structure.
type sizes struct {
	sums  ties // of an index or a sum: in p[i] p and i
	order ties // of a comparison: in i < s->n i and .n
	bounding
	// bounds are the numbers of items that constant indexes, or indexes
	// that are compared with constants, ask for.
	bounds map[string]int64
	// lent are the numbers of items that functions of the C library write there.
	lent map[string]int64
	// far and farther are those of bounds and of limits that are more than maxBound: tables that somebody lays out.
	far, farther map[string]int64

	spelt  map[string]int64               // characters of what texts are compared with
	limits map[string]int64               // one more than what variables are below, by constants they are compared with
	signs  map[string]bool                // variables that are held against 0 by order: negative ones are told apart
	beyond map[string][]int64             // constants that variables are compared with, and no number of items comes to
	values map[string][]cc.ExpressionNode // what is assigned to variables
	above  map[string][]cc.ExpressionNode // what they are less than
	uppers map[named]int64                // what came out of these
	later  []indexed                      // indexes that are no constants
	moved  map[string]bool                // pointers that are indexed or moved
	strays map[string]bool                // those that are, as pointers to something else
	steps  map[string]bool                // those that are moved item by item
	before map[string]string              // what is looked at that stands before what they lead to: see headerAt
	behind map[string]string              // headers that values stand behind which they get
	flows  map[string][]string            // where values that have a name are assigned to
	views  map[string]cc.Type             // what untyped pointers are taken to lead to
	others map[string][]cc.Type           // other structures that they are taken to lead to, where a tag says which
	leapt  map[string]int64               // by what pointers are moved by constants, all together: see leaps
	ahead  map[string][]leap              // pointers to what lies a constant behind
	dims   map[string]bool                // lengths of arrays
	sizeOf map[string]int64               // those that are held against the size of a structure, as a version is
	copies map[string][]string            // integers: where they are assigned to
	passed map[string][]argumentOf        // arguments that are names: where they go

	constants map[string]int64 // of the unit's that have a name

	through map[string][]argumentOf // the same of calls through pointers to functions that have a name
	results []result                // what is returned
	taken   []string                // variables that get variable arguments
	block   int64                   // of known sizes of memory that is handed on, the largest
	pairs   pairs                   // pointers, and those that come behind them
	derived map[string][]string     // what pointers go to, with something added or not
	reached map[string]bool         // pointers to what is read or written
	appends ties                    // pointers, and the numbers of items that grow as one is put behind the others
	drained ties                    // pointers that move on, and numbers that fall by as much
	owners  map[string]bool         // fields that lead to a structure, held against another pointer to one
	starts  map[string]int64        // constants that variables begin with, the largest
	margins map[string]int64        // constants that are taken off what something is held against
	spared  map[string]int64        // constants that are taken off an end, or a number of items
	tails   map[string][]string     // the pointers to the end, by the number of items
	// addressed are the parameters that get a variable's address.
	addressed map[string][]argumentOf
	strides   map[string]ties // of a pointer: what is multiplied in its indexes, by name
	asked     map[string]bool // pointers that are compared with something, or are conditions: NULL may come
}

// indexed is an access to at an index, or to so many bytes from there on.
type indexed struct {
	at    string
	of    cc.ExpressionNode // nil: 0
	bytes cc.ExpressionNode // nil: items tell it
	each  int64             // bytes of an item
	wide  int64             // items from there on, where not bytes tell them; 0: one
	lent  bool              // the C library writes them
}

// argumentOf is a parameter of a function. A pointer may be given with something
// added.
type argumentOf struct {
	function string
	index    int
	plus     cc.ExpressionNode
	offset   int64 // as far as that is known
}

// maxBound bounds what an index may ask for that is input, and maxFar what there is behind that, as zeros.
const (
	maxBound = 4096
	maxFar   = 1 << 20
)

func newSizes() *sizes {
	return &sizes{bounding: newBounding(), signs: map[string]bool{},
		sums: ties{}, order: ties{}, bounds: map[string]int64{}, lent: map[string]int64{}, limits: map[string]int64{},
		far: map[string]int64{}, farther: map[string]int64{},
		beyond: map[string][]int64{},
		values: map[string][]cc.ExpressionNode{}, above: map[string][]cc.ExpressionNode{},
		spelt:  map[string]int64{},
		passed: map[string][]argumentOf{}, dims: map[string]bool{}, sizeOf: map[string]int64{},
		copies: map[string][]string{},
		before: map[string]string{}, behind: map[string]string{}, steps: map[string]bool{},
		pairs: pairs{}, derived: map[string][]string{}, reached: map[string]bool{},
		owners: map[string]bool{}, drained: ties{}, appends: ties{},
		strides: map[string]ties{}, starts: map[string]int64{}, margins: map[string]int64{},
		spared: map[string]int64{}, tails: map[string][]string{}, addressed: map[string][]argumentOf{},
		asked: map[string]bool{}, through: map[string][]argumentOf{},
		leapt: map[string]int64{}, ahead: map[string][]leap{},
		moved: map[string]bool{}, strays: map[string]bool{}, flows: map[string][]string{}, views: map[string]cc.Type{},
		others: map[string][]cc.Type{}}
}

// see looks at one node.
func (s *sizes) see(u *csource.Unit, n cc.Node) {
	s.ask(n)
	switch x := n.(type) {
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			s.step(x.PostfixExpression)
			s.sink(x.PostfixExpression, x.Case == cc.PostfixExpressionDec)
		case cc.PostfixExpressionIndex:
			s.move(x.PostfixExpression)
			s.reached[pointerOf(x.PostfixExpression)] = true
			s.back(x.PostfixExpression, x.ExpressionList, -1)
			s.sums.tie(u, x.PostfixExpression, x.ExpressionList)
			s.direct.add(nameOf(x.PostfixExpression), nameOf(x.ExpressionList))
			s.putBehind(x.PostfixExpression, x.ExpressionList)
			s.index(x.PostfixExpression, x.ExpressionList)
			s.stride(u, x.PostfixExpression, x.ExpressionList)
		case cc.PostfixExpressionCall:
			s.call(x)
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			s.step(x.UnaryExpression)
			s.sink(x.UnaryExpression, x.Case == cc.UnaryExpressionDec)
		case cc.UnaryExpressionDeref:
			s.reached[pointerOf(x.CastExpression)] = true
		}
	case *cc.AssignmentExpression:
		switch x.Case {
		case cc.AssignmentExpressionAssign:
			s.assign(u, nameOf(x.UnaryExpression), x.UnaryExpression.Type(), x.AssignmentExpression)
		case cc.AssignmentExpressionAdd, cc.AssignmentExpressionSub:
			s.step(x.UnaryExpression)
			s.sink(x.UnaryExpression, x.Case == cc.AssignmentExpressionSub)
			if x.Case == cc.AssignmentExpressionAdd {
				s.leaps(x.UnaryExpression, x.AssignmentExpression)
			}
		case cc.AssignmentExpressionMod, cc.AssignmentExpressionAnd:
			s.value(nameOf(x.UnaryExpression), x.AssignmentExpression)
		}
	case *cc.InitDeclarator:
		if x.Declarator != nil {
			s.dimension(u, x.Declarator.Type())
		}
		if x.Initializer != nil && x.Initializer.Case == cc.InitializerExpr {
			s.assign(u, x.Declarator.Name(), x.Declarator.Type(), x.Initializer.AssignmentExpression)
		}
	case *cc.CompoundStatement:
		s.drain(u, x)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			s.view(x.CastExpression, x.Type())
		}
	case *cc.AdditiveExpression:
		s.move(x.AdditiveExpression)
		s.sums.tie(u, x.AdditiveExpression, x.MultiplicativeExpression)
		if x.Case == cc.AdditiveExpressionSub {
			s.back(x.AdditiveExpression, x.MultiplicativeExpression, 1)
			s.spare(x.AdditiveExpression, x.MultiplicativeExpression)
			s.pair(x.MultiplicativeExpression, x.AdditiveExpression, subtracted)
		}
		if _, ok := x.AdditiveExpression.Type().(*cc.PointerType); ok && x.Case == cc.AdditiveExpressionAdd {
			s.index(x.AdditiveExpression, x.MultiplicativeExpression)
			s.stride(u, x.AdditiveExpression, x.MultiplicativeExpression)
		}
	case *cc.RelationalExpression:
		s.order.tie(u, x.RelationalExpression, x.ShiftExpression)
		s.ordered(x)
		s.sign(x)
		switch x.Case {
		case cc.RelationalExpressionGeq:
			s.apart(nameOf(x.RelationalExpression), x.ShiftExpression)
		case cc.RelationalExpressionLeq:
			s.apart(nameOf(x.ShiftExpression), x.RelationalExpression)
		}
		s.spareWithin(x.RelationalExpression, x.ShiftExpression)
		s.spareWithin(x.ShiftExpression, x.RelationalExpression)
		s.margin(x.RelationalExpression)
		s.margin(x.ShiftExpression)
		s.compare(x.RelationalExpression, x.ShiftExpression, x.Case == cc.RelationalExpressionLt)
		s.compare(x.ShiftExpression, x.RelationalExpression, x.Case == cc.RelationalExpressionGt)
		if x.Case == cc.RelationalExpressionLt || x.Case == cc.RelationalExpressionLeq {
			s.pair(x.RelationalExpression, x.ShiftExpression, compared)
		} else {
			s.pair(x.ShiftExpression, x.RelationalExpression, compared)
		}
	case *cc.EqualityExpression:
		s.compare(x.EqualityExpression, x.RelationalExpression, x.Case == cc.EqualityExpressionNeq)
		s.apart(nameOf(x.EqualityExpression), x.RelationalExpression)
		s.owner(x.EqualityExpression, x.RelationalExpression)
		s.same(x.EqualityExpression, x.RelationalExpression)
		s.same(x.RelationalExpression, x.EqualityExpression)
		if k, ok := integer(x.RelationalExpression.Value()); ok && measured(x.RelationalExpression) != "" {
			s.sizeOf[nameOf(x.EqualityExpression)] = k
		}
	case *cc.JumpStatement:
		if x.Case == cc.JumpStatementReturn && x.ExpressionList != nil {
			s.result(x.ExpressionList)
		}
	case *cc.SelectionStatement:
		if x.Case == cc.SelectionStatementSwitch {
			s.cases(u, x)
		}
	}
}

// move notes that a pointer is moved, or indexed.
func (s *sizes) move(e cc.ExpressionNode) {
	if _, ok := e.Type().(*cc.PointerType); !ok {
		return
	}
	to := s.moved
	for isCast(e) {
		e, to = csource.Unparen(e).(*cc.CastExpression).CastExpression, s.strays
	}
	if name := nameOf(e); name != "" {
		to[name] = true
	}
}

// assign notes where a value with a name goes.
func (s *sizes) assign(u *csource.Unit, to string, t cc.Type, from cc.ExpressionNode) {
	if cc.IsIntegerType(t) {
		s.value(to, from)
		s.start(to, from)
		s.fall(to, from)
		s.halve(u, to, from)
	}
	s.argument(to, from)
	s.leapTo(to, from)
	s.tail(to, from)
	if h := behind(from); h != "" && h != anyHeader && to != "" {
		s.behind[to] = h
	}
	if root := pointerOf(from); root != "" && to != "" && root != to && len(s.derived[root]) < maxKnown {
		s.derived[root] = append(s.derived[root], to)
	}
	name := nameOf(from)
	if name == "" || to == "" || name == to {
		return
	}
	if cc.IsIntegerType(t) {
		s.copies[name] = append(s.copies[name], to)
	}
	if _, ok := t.(*cc.PointerType); ok {
		s.flows[name] = append(s.flows[name], to)
		s.view(from, t)
	}
}

func (s *sizes) index(base, at cc.ExpressionNode) {
	if name := nameOf(base); name != "" && !isCast(base) { // else items of another type
		s.later = append(s.later, indexed{at: name, of: at})
	}
}

func (s *sizes) want(x indexed, items int64) {
	bounds := s.bounds
	if x.lent {
		bounds = s.lent
	}
	if items > maxBound {
		bounds = s.far
	}
	if items > 0 && items <= maxFar {
		bounds[x.at] = max(bounds[x.at], items)
	}
}

// compare notes that a variable is compared with a constant: it stays below, or
// comes to it.
func (s *sizes) compare(v, with cc.ExpressionNode, below bool) {
	k, ok := integer(with.Value())
	if !ok && isName(with) {
		k, ok = s.constants[nameOf(with)]
		ok = ok && k <= maxCounted // what is larger is no mark that tells something apart
	}
	if ok {
		if !below {
			k++
		}
		s.limit(nameOf(v), k)
	} else if name := nameOf(v); below && name != "" && len(s.above[name]) < maxKnown {
		s.above[name] = append(s.above[name], with)
	}
}

// sign notes what is asked whether it is negative: v < 0, v >= 0, and the same from the other side.
func (s *sizes) sign(x *cc.RelationalExpression) {
	v, zero := cc.ExpressionNode(x.RelationalExpression), cc.ExpressionNode(x.ShiftExpression)
	below := x.Case == cc.RelationalExpressionLt || x.Case == cc.RelationalExpressionGeq
	if _, ok := integer(v.Value()); ok {
		v, zero = zero, v
		below = !below
	}
	if k, ok := integer(zero.Value()); ok && k == 0 && below && nameOf(v) != "" {
		s.signs[nameOf(v)] = true
	}
}

// limit notes what a variable comes to at most.
func (s *sizes) limit(name string, k int64) {
	if name != "" && k > 0 && k <= maxBound {
		s.limits[name] = max(s.limits[name], k)
	} else if name != "" && k > 0 && k <= maxFar {
		s.farther[name] = max(s.farther[name], k)
	}
	if k > maxCounted {
		s.pass(name, k)
	}
}

// apart notes a constant that a variable is told apart by, itself (n == -1) or as the first of those that are too
// many: n >= INT_MAX has no n above it.
func (s *sizes) apart(name string, constant cc.ExpressionNode) {
	if k, ok := integer(constant.Value()); ok && (k < 0 || k > maxCounted) {
		s.pass(name, k)
	}
}

// pass notes a value that no number of items of a driver's comes to.
func (s *sizes) pass(name string, k int64) {
	if name != "" && len(s.beyond[name]) < maxKnown {
		s.beyond[name] = append(s.beyond[name], k)
	}
}

// finish resolves the indexes that are no constants.
func (s *sizes) finish() {
	for range 2 {
		for from, to := range s.copies {
			for _, n := range to {
				s.dims[from] = s.dims[from] || s.dims[n]
			}
		}
		for from, to := range s.flows {
			for _, n := range to {
				s.asked[from] = s.asked[from] || s.asked[n]
			}
		}
	}
	s.uppers = map[named]int64{}
	for _, x := range s.later {
		s.resolve(x)
	}
	for name, to := range s.passed {
		seen := map[argumentOf]bool{}
		for i := range to {
			if to[i].plus != nil {
				to[i].offset, _ = s.upper(to[i].plus, upperDepth)
				to[i].plus = nil
			}
		}
		s.passed[name] = slices.DeleteFunc(to, func(a argumentOf) bool { // labels repeat what is called
			again := seen[a]
			seen[a] = true
			return again
		})
	}
	s.later, s.values, s.above, s.uppers = nil, nil, nil, nil
}
