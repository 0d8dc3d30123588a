package prune

import (
	"cmp"
	"fmt"
	"regexp"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/label"
)

// program is what the methods need to know of the labelled program.
type program struct {
	units  []*csource.Unit
	labels []*labelSite // in the order of the text
	byID   map[label.ID]*labelSite
	funcs  map[string]*function
	order  []*function
	groups [][]*labelSite     // co-reached labels, in the order of evaluation
	rank   map[*labelSite]int // places in their groups

	beyond   string // what C does not show of it, "" if nothing
	asm      string // function with inline assembly, "" if none
	floats   bool
	puns     bool            // an object may be read as another type than it was written as
	indirect bool            // there are calls through pointers
	macros   map[string]bool // names of the label macros in use
	foreign  string          // function without a body whose address is used
	early    bool            // functions run before or after main
	isOpen   bool            // anybody may call any function
	hasMain  bool
	mainArgs bool // main looks at its parameters
}

// labelSite is a label in its place.
type labelSite struct {
	csource.LabelCall
	unit    *csource.Unit
	fn      *function // nil: outside a function that is known
	mayFail bool      // its predicate, in ways that its guard need not see
}

// function is a function that the program defines.
type function struct {
	*csource.Function
	unit     *csource.Unit
	labels   []*labelSite
	calls    map[string]bool // functions called by name
	indirect bool            // calls through a pointer
	sites    []site
	floats   bool // uses floating point
	bits     bool // uses structures with bit-fields
	derefs   bool // reads or writes through a pointer
	asm      bool
	meets    bool            // what it does may depend on where objects stand
	statics  bool            // has static variables of its own
	globals  map[string]bool // names of variables that it uses and does not declare
	mayExit  bool            // might not come back although the run ends normally
	namesake *function       // another static function of that name, the one in program.funcs
	twice    bool            // it is the one in program.funcs of several static functions
	cleanup  bool            // a variable's cleanup function runs in it
	taken    bool            // its address is used other than for a call
}

// site is a call of a function by name.
type site struct {
	callee string
	call   *cc.PostfixExpression
}

// weakName ends the names of weak functions in an open program: who calls one may call another.
const weakName = "@weak"

func newProgram(o *Options) (*program, error) {
	p := &program{units: o.Units, byID: map[label.ID]*labelSite{}, funcs: map[string]*function{},
		macros: map[string]bool{},
		rank:   map[*labelSite]int{}, isOpen: o.Open}
	for _, u := range o.Units {
		p.early = p.early || reEarly.Match(u.Text)
		if p.beyond == "" {
			p.beyond = cmp.Or(u.Beyond(), u.OtherNames())
		}
		calls, err := u.Labels()
		if err != nil {
			return nil, err
		}
		weak := u.Weak()
		for _, f := range u.Functions() {
			x := &function{Function: f, unit: u, calls: map[string]bool{}, globals: map[string]bool{}}
			key := f.Name
			if p.isOpen && weak[f.Name] { // who calls it may call another one
				key += weakName
			} else if old := p.funcs[key]; old != nil {
				key = fmt.Sprintf("%s@%s", f.Name, u.Path)
				x.namesake = old
			}
			p.funcs[key] = x
			p.order = append(p.order, x)
			p.scan(x)
			if m := reRounding.Find(u.Text[f.Span.Start:f.Span.End]); m != nil && p.beyond == "" {
				p.beyond = string(m)
			}
			x.cleanup = reCleanup.Match(u.Text[f.Span.Start:f.Span.End])
			if f.Name == "main" {
				p.hasMain = true
				p.mainArgs = u.UsesArguments()
			}
		}
		for _, c := range calls {
			l := &labelSite{LabelCall: c, unit: u, mayFail: u.CanFault(c.PredExpr)}
			if g := u.Guard(c.PredExpr, nil); g != "" { // where it cannot be evaluated it does not hold
				l.Predicate = g + " && (" + l.Predicate + ")"
			}
			for _, f := range p.order {
				if f.unit == u && f.Span.Contains(c.Call) {
					l.fn = f
					f.labels = append(f.labels, l)
				}
			}
			p.macros[c.Macro] = true
			p.labels = append(p.labels, l)
			p.byID[c.ID] = l
		}
	}
	p.joinNamesakes()
	p.addresses()
	p.findExits()
	p.coReached()
	return p, nil
}

// reRounding finds in a function what may change how floating-point numbers are rounded: provers
// know rounding to nearest.
var reRounding = regexp.MustCompile(`\b(fesetround|fesetenv|feupdateenv)\b`)

var reEarly = regexp.MustCompile(`\b(__)?(constructor|destructor|cleanup)(__)?\b`)

// reCleanup finds variables whose scope ends in the call of a function.
var reCleanup = regexp.MustCompile(`\b(__)?cleanup(__)?\s*\(`)

// joinNamesakes makes what is said of a name hold for all static functions
// that have it.
func (p *program) joinNamesakes() {
	for _, f := range p.order {
		if g := f.namesake; g != nil {
			for c := range f.calls {
				g.calls[c] = true
			}
			f.taken, g.taken = true, true
			g.twice = true
			f.calls = g.calls
			g.indirect = g.indirect || f.indirect
			g.asm = g.asm || f.asm
			g.floats = g.floats || f.floats
			g.derefs = g.derefs || f.derefs
			g.bits = g.bits || f.bits
			g.statics = g.statics || f.statics
		}
	}
}

// scan fills what a function's body shows.
func (p *program) scan(f *function) {
	u := f.unit
	u.Walk(f.Def, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.AsmStatement, *cc.Asm:
			f.asm = true
			p.asm = f.Name
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionCall:
				if name := csource.Callee(x); name != "" {
					f.calls[name] = true
					f.sites = append(f.sites, site{name, x})
				} else {
					f.indirect, p.indirect = true, true
				}
			case cc.PostfixExpressionIndex:
				if !isArray(x.PostfixExpression) {
					f.derefs = true
				}
			case cc.PostfixExpressionPSelect:
				f.derefs = true
			}
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionDeref {
				f.derefs = true
			}
		case *cc.Declarator:
			if x.IsStatic() && x.Name() != "__func__" && x != f.Def.Declarator && x.Type() != nil &&
				x.Type().Kind() != cc.Function {
				f.statics = true
			}
		case *cc.PrimaryExpression:
			if d, ok := x.ResolvedTo().(*cc.Declarator); ok && x.Case == cc.PrimaryExpressionIdent && d.Type() != nil &&
				d.Type().Kind() != cc.Function {
				if s, ok := u.Span(d); !ok || !f.Span.Contains(s) {
					f.globals[d.Name()] = true
				}
			}
		}
		if e, ok := n.(cc.ExpressionNode); ok {
			if t := e.Type(); t != nil && cc.IsFloatingPointType(t) {
				f.floats, p.floats = true, true
			} else if hasBitfield(t, 0) {
				f.bits = true
			}
			if c, ok := n.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast {
				p.puns = p.puns || punning(c.CastExpression, c.Type())
				f.meets = f.meets || isPointer(c.CastExpression) && cc.IsIntegerType(c.Type())
			}
			if c, ok := n.(*cc.EqualityExpression); ok && c.Case != cc.EqualityExpressionRel {
				f.meets = f.meets || isPointer(c.EqualityExpression) && isPointer(c.RelationalExpression)
			}
		}
		return true
	})
	if p.punsImplicitly(u, f) {
		p.puns = true
	}
}

// addresses finds functions whose address is used.
func (p *program) addresses() {
	for _, u := range p.units {
		called := map[cc.Node]bool{}
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			switch x := n.(type) {
			case *cc.PostfixExpression:
				if x.Case == cc.PostfixExpressionCall && csource.Callee(x) != "" {
					called[csource.Unparen(x.PostfixExpression)] = true
				}
			case *cc.PrimaryExpression:
				if x.Case == cc.PrimaryExpressionIdent && !called[n] {
					if d, ok := x.ResolvedTo().(*cc.Declarator); ok && d.Type() != nil &&
						d.Type().Kind() == cc.Function {
						if f := p.funcs[d.Name()]; f != nil {
							f.taken = true
						} else {
							p.foreign = d.Name()
						}
					}
				}
			}
			return true
		})
	}
}
