package annotate

import (
	"strconv"
	"strings"

	"klabel/annotate/ctree"
	"klabel/annotate/logic"
	"klabel/csource"
	"klabel/label"
)

// plan collects the labels of one unit: criteria put predicates at sites, and
// emission turns sites into insertions. Labels at one site with the same
// predicate are one label with several tags.
type plan struct {
	unit     *csource.Unit
	opts     *Options
	sites    []*site
	byKey    map[siteKey]*site
	shapes   map[shape][]*logic.Form // predicates of decisions that look alike
	temps    int
	warnings []string
	repeated map[string]*repeated // by format

	decisions []*planned // under criteria of pairs
	pairs     []*plannedPairs
	pairsOf   map[pairsKey]*plannedPairs // of statics, whose uses stand in several functions

	shared        []*variable // see statics
	lookedStatics bool
}

// siteKind says how labels stand at a place.
type siteKind uint8

const (
	atStart    siteKind = iota // at the start of a block, before all statements
	atStmt                     // before (and after) a statement
	pre                        // just before an expression is evaluated
	value                      // just after, on its value
	operands                   // just after, on the values of both operands
	record                     // just after, on the atoms of a decision
	sides                      // just after, on both sides of && or ||
	outside                    // in a function of its own before the one that uses it
	definesVar                 // behind an assignment, inside of all else
	fileScope                  // a declaration before a function
)

type siteKey struct {
	kind  siteKind
	start int
	end   int
}

// site is a place with its labels.
type site struct {
	kind        siteKind
	at          int // offset that stands for the place
	expr        *ctree.Expr
	stmt        *ctree.Stmt
	atoms       []*ctree.Expr // record
	name        string        // prefix of temporaries
	labels      []*mark
	after       []*mark // atStmt: after the statement
	setup       string  // atStmt: text before the labels; atStart: declarations; defines: text behind
	runs        []*site // pre: outside sites that are called here
	fn          *ctree.Func
	fold        bool // a predicate here may be constant for the compiler
	left, right string
}

// mark is a label before it has a number.
type mark struct {
	pred  string
	tags  []string
	id    label.ID
	site  *site
	fixed folding // constant for the compiler, or proved false from the conditions
	why   string  // the proof
	// A row of a truth table: it stays even where it is constant.
	paired bool
}

func newPlan(u *csource.Unit, o *Options) *plan {
	return &plan{unit: u, opts: o, byKey: map[siteKey]*site{}, shapes: map[shape][]*logic.Form{},
		pairsOf: map[pairsKey]*plannedPairs{}}
}

func (p *plan) site(k siteKey, fn *ctree.Func) (*site, bool) {
	if s := p.byKey[k]; s != nil {
		return s, false
	}
	s := &site{kind: k.kind, at: k.start, fn: fn}
	p.byKey[k] = s
	p.sites = append(p.sites, s)
	return s, true
}

func (p *plan) temp() string {
	p.temps++
	return "klb_" + strconv.Itoa(p.temps)
}

// add puts a label at a site. A nil site takes none: the place cannot be
// labelled without changing the program.
func (s *site) add(pred, tag string) *mark {
	if s == nil {
		return nil
	}
	var m *mark
	s.labels, m = s.put(s.labels, pred, tag)
	return m
}

func (s *site) put(list []*mark, pred, tag string) ([]*mark, *mark) {
	for _, m := range list {
		if m.pred != pred || pred == "0" { // what cannot be satisfied stays apart
			continue
		}
		for _, t := range m.tags {
			if t == tag {
				return list, m
			}
		}
		m.tags = append(m.tags, tag)
		return list, m
	}
	m := &mark{pred: pred, tags: []string{tag}, site: s}
	return append(list, m), m
}

// function is a function under labelling.
type function struct {
	*ctree.Func
	p         *plan
	decisions []*decision
	exprs     []*ctree.Expr // every expression that is evaluated and may be looked at
	stmts     []*ctree.Stmt
	vars      []*variable // see variables
	looked    bool
}

// entry is the site at the start of the function.
func (f *function) entry() *site {
	s, fresh := f.p.site(siteKey{atStart, f.Root.Start, 0}, f.Func)
	if fresh {
		s.stmt = f.Root
	}
	return s
}

// start is the site where a statement begins to run: in a block after its
// brace, else before the statement, behind its labels.
func (f *function) start(st *ctree.Stmt) *site {
	st = st.Inner()
	if st.Kind == ctree.Block {
		s, fresh := f.p.site(siteKey{atStart, st.Start, 0}, f.Func)
		if fresh {
			s.stmt = st
		}
		return s
	}
	return f.before(st)
}

// before is the site just before a statement, behind its labels.
func (f *function) before(st *ctree.Stmt) *site {
	st = st.Inner()
	s, fresh := f.p.site(siteKey{atStmt, st.Span.Start, st.Span.End}, f.Func)
	if fresh {
		s.stmt = st
	}
	return s
}

// pre is the site just before an expression is evaluated. Its predicates are
// pure and speak of the state before the expression.
func (f *function) pre(e *ctree.Expr) *site {
	if !e.Wrap || e.NoTemp || e.Span.Start < 0 {
		return nil
	}
	s, fresh := f.p.site(siteKey{pre, e.Span.Start, e.Span.End}, f.Func)
	if fresh {
		s.expr = e
		s.fold = e.Const
	}
	return s
}

// value is the site of a scalar expression and the text that stands for its
// value there: the source text where it may be evaluated twice, a temporary
// else.
func (f *function) value(e *ctree.Expr) (*site, string) {
	if e.Pure && !e.Jumps {
		if s := f.pre(e); s != nil {
			return s, f.src(e)
		}
		return nil, ""
	}
	if !e.Wrap || e.NoTemp || e.Span.Start < 0 || !e.Scalar() {
		return nil, ""
	}
	s, fresh := f.p.site(siteKey{value, e.Span.Start, e.Span.End}, f.Func)
	if fresh {
		s.expr, s.name = e, f.p.temp()
	}
	return s, s.name
}

// operands is the site of a binary operator and the texts that stand for its
// operands there.
func (f *function) operands(e *ctree.Expr) (s *site, left, right string) {
	a, b := e.Kids[0], e.Kids[1]
	if a.Pure && b.Pure {
		return f.pre(e), f.src(a), f.src(b)
	}
	if !e.Wrap || e.NoTemp || e.OpAt < 0 || e.Span.Start < 0 || b.Jumps || !a.Scalar() || !b.Scalar() ||
		e.Kind == ctree.Assign {
		return nil, "", ""
	}
	s, fresh := f.p.site(siteKey{operands, e.Span.Start, e.Span.End}, f.Func)
	if fresh {
		s.expr, s.name = e, f.p.temp()
		s.left, s.right = s.name+"l", s.name+"r"
		if a.Const {
			s.left = f.src(a)
		}
		if b.Const {
			s.right = f.src(b)
		}
	}
	return s, s.left, s.right
}

// src is the text of an expression on one line, parenthesised where needed.
func (f *function) src(e *ctree.Expr) string { return f.p.src(e) }

func (p *plan) src(e *ctree.Expr) string {
	t := flat(p.unit.Text[e.Span.Start:e.Span.End])
	if e.Kind == ctree.Ident || e.Kind == ctree.Leaf && strings.IndexByte(t, ' ') < 0 {
		return t
	}
	return "(" + t + ")"
}

// flat puts source text on one line and takes line markers and pragmas out.
func flat(b []byte) string {
	s := string(b)
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	var out []string
	for _, l := range strings.Split(s, "\n") {
		l = strings.TrimSpace(l)
		if l != "" && l[0] != '#' {
			out = append(out, l)
		}
	}
	return strings.Join(out, " ")
}
