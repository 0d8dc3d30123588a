package prune

import (
	"fmt"
	"regexp"
	"slices"
	"sort"

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

	asm      string // function with inline assembly, "" if none
	floats   bool
	puns     bool            // an object may be read as another type than it was written as
	indirect bool            // there are calls through pointers
	macros   map[string]bool // names of the label macros in use
	foreign  string          // function without a body whose address is used
	early    bool            // functions run before or after main
	isOpen   bool            // anybody may call any function
	hasMain  bool
	mainArgs bool // main takes parameters
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

func newProgram(o *Options) (*program, error) {
	p := &program{units: o.Units, byID: map[label.ID]*labelSite{}, funcs: map[string]*function{},
		macros: map[string]bool{},
		rank:   map[*labelSite]int{}, isOpen: o.Open}
	for _, u := range o.Units {
		p.early = p.early || reEarly.Match(u.Text)
		calls, err := u.Labels()
		if err != nil {
			return nil, err
		}
		for _, f := range u.Functions() {
			x := &function{Function: f, unit: u, calls: map[string]bool{}, globals: map[string]bool{}}
			key := f.Name
			if old := p.funcs[key]; old != nil {
				key = fmt.Sprintf("%s@%s", f.Name, u.Path)
				x.namesake = old
			}
			p.funcs[key] = x
			p.order = append(p.order, x)
			p.scan(x)
			x.cleanup = reCleanup.Match(u.Text[f.Span.Start:f.Span.End])
			if f.Name == "main" {
				p.hasMain = true
				p.mainArgs = len(f.Params) > 0 && !(len(f.Params) == 1 && f.Params[0].Type().Kind() == cc.Void)
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
			}
		}
		return true
	})
	if p.punsImplicitly(u, f) {
		p.puns = true
	}
}

// hasBitfield reports whether a type is, holds or points to a structure with
// bit-fields.
func hasBitfield(t cc.Type, depth int) bool {
	if t == nil || depth > 4 {
		return false
	}
	type fields interface {
		NumFields() int
		FieldByIndex(int) *cc.Field
	}
	if s, ok := t.(fields); ok {
		for i := range s.NumFields() {
			if f := s.FieldByIndex(i); f != nil && (f.IsBitfield() || hasBitfield(f.Type(), depth+1)) {
				return true
			}
		}
		return false
	}
	return hasBitfield(element(t), depth+1)
}

func isArray(e cc.ExpressionNode) bool {
	t := e.Type()
	return t != nil && t.Undecay() != nil && t.Undecay().Kind() == cc.Array
}

// punning reports whether a cast lets an object be seen as another type.
func punning(from cc.ExpressionNode, to cc.Type) bool {
	if from == nil || to == nil || to.Kind() != cc.Ptr || from.Type() == nil {
		return false
	}
	if v, ok := csource.ConstInt(from); ok && v == 0 {
		return false
	}
	if from.Type().Kind() != cc.Ptr && from.Type().Kind() != cc.Array {
		return true // an integer becomes a pointer
	}
	a, b := element(from.Type()), element(to)
	if a == nil || b == nil || b.Kind() == cc.Void {
		return false
	}
	return a.Kind() != b.Kind() || a.String() != b.String()
}

func element(t cc.Type) cc.Type {
	switch x := t.(type) {
	case *cc.PointerType:
		return x.Elem()
	case *cc.ArrayType:
		return x.Elem()
	}
	return nil
}

// punsImplicitly reports unions and conversions from void pointers, which need
// no cast.
func (p *program) punsImplicitly(u *csource.Unit, f *function) bool {
	found := false
	u.Walk(f.Def, func(n cc.Node) bool {
		e, ok := n.(cc.ExpressionNode)
		if !ok || found {
			return !found
		}
		t := e.Type()
		if t == nil {
			return true
		}
		if t.Kind() == cc.Union {
			found = true
		}
		if t.Kind() == cc.Ptr {
			if el := element(t); el != nil && el.Kind() == cc.Void {
				// Any void pointer that is more than an argument on the spot.
				if pr, ok := n.(*cc.PrimaryExpression); ok && pr.Case == cc.PrimaryExpressionIdent {
					found = true
				}
			}
		}
		return true
	})
	return found
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

// endsAbnormally lists functions of the C library and of KLEE that do not come
// back, and whose end is no normal end of a run: what precedes them does not
// count either.
var endsAbnormally = map[string]bool{
	"abort": true, "__assert_fail": true, "__assert": true, "klee_abort": true, "klee_report_error": true,
	"__builtin_trap": true, "__builtin_unreachable": true, "__VERIFIER_error": true, "__stack_chk_fail": true,
}

// comesBack lists functions that return whenever the run goes on normally, and
// that call nothing of the program.
var comesBack = map[string]bool{}

func init() {
	for _, n := range []string{
		"klee_make_symbolic", "klee_int", "klee_range", "klee_choose", "klee_prefer_cex", "klee_posix_prefer_cex",
		"klee_is_symbolic",
		"klee_is_replay", "klee_get_obj_size", "klee_get_errno", "klee_check_memory_access", "klee_warning",
		"klee_warning_once",
		"klee_print_expr", "klee_print_range", "klee_stack_trace", "klee_set_forking", "klee_open_merge",
		"klee_close_merge",
		"klee_mark_global", "klee_get_valuef", "klee_get_valued", "klee_get_valuel", "klee_get_valuell",
		"klee_get_value_i32",
		"klee_get_value_i64", "klee_assume", "sc_assume", "__VERIFIER_assume", "klabel_assume",
		"printf", "fprintf", "sprintf", "snprintf", "puts", "putchar", "fputs", "fputc", "putc", "fflush", "perror",
		"strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strcpy", "strncpy", "strcat", "strncat", "strchr",
		"strrchr", "strstr",
		"memcpy", "memmove", "memset", "memcmp", "memchr", "malloc", "calloc", "realloc", "free", "abs", "labs",
		"llabs",
		"isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
		"isupper", "isxdigit",
		"toupper", "tolower", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "atoi", "atol", "strtol",
		"strtoul",
		"fabs", "fabsf", "sqrt", "sqrtf", "floor", "ceil", "pow", "sin", "cos", "tan", "exp", "log", "fmod",
		"__errno_location",
		"getchar", "rand", "time",
	} {
		comesBack[n] = true
	}
}

// comesBackName adds the builtins and the nondeterministic functions of
// verification competitions.
func comesBackName(name string) bool {
	return comesBack[name] || endsAbnormally[name] || hasPrefix(name, "__builtin_") && name != "__builtin_longjmp" ||
		hasPrefix(name, "__VERIFIER_nondet_")
}

func hasPrefix(s, p string) bool { return len(s) >= len(p) && s[:len(p)] == p }

// findExits computes which functions might leave a block for good although the
// run then ends normally: exit, longjmp, klee_silent_exit, whatever is not
// known, and those that call such a one.
func (p *program) findExits() {
	for changed := true; changed; {
		changed = false
		for _, f := range p.order {
			if f.mayExit {
				continue
			}
			if f.indirect || f.asm || f.cleanup || slices.ContainsFunc(sortedKeys(f.calls), p.nameMayExit) {
				f.mayExit, changed = true, true
			}
		}
	}
}

func (p *program) nameMayExit(name string) bool {
	if f := p.funcs[name]; f != nil {
		return f.mayExit
	}
	return !comesBackName(name) && !p.macros[name]
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// reaches reports whether a call of f can lead to a call of the function name.
func (p *program) reaches(f *function, name string) bool {
	seen := map[*function]bool{}
	var visit func(*function) bool
	visit = func(g *function) bool {
		if seen[g] {
			return false
		}
		seen[g] = true
		if g.indirect {
			for _, h := range p.order {
				if h.taken && (h.Name == name || visit(h)) {
					return true
				}
			}
		}
		for c := range g.calls {
			if c == name {
				return true
			}
			if h := p.funcs[c]; h != nil && visit(h) {
				return true
			}
		}
		return false
	}
	return visit(f)
}

// recursive reports whether a function can be active twice.
func (p *program) recursive(f *function) bool { return f.taken && p.indirect || p.reaches(f, f.Name) }

// unknownCallees returns functions that f's code can call of which neither a
// body nor a model is known.
func (p *program) unknownCallees(f *function, known func(string) bool) []string {
	seen := map[*function]bool{}
	out := map[string]bool{}
	var visit func(*function)
	visit = func(g *function) {
		if seen[g] {
			return
		}
		seen[g] = true
		for c := range g.calls {
			if h := p.funcs[c]; h != nil {
				visit(h)
			} else if !known(c) && !p.macros[c] {
				out[c] = true
			}
		}
		if g.indirect {
			for _, h := range p.order {
				if h.taken {
					visit(h)
				}
			}
		}
	}
	visit(f)
	return sortedKeys(out)
}
