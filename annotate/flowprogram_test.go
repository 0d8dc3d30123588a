package annotate

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

// A random function over unsigned variables. It is written with each variable on
// a line of its own, so that a line says which occurrence it is, and run by an
// interpreter that records what is defined and used on the way: for each use, the
// line that defined the variable last.
type flowProgram struct {
	r     *rand.Rand
	line  int
	text  strings.Builder
	vars  []string
	depth int
	loops int // around what is being written
	body  []flowStep

	params [][3]int // lines of the functions' parameters
	callee int      // a function that this one may call, -1 for none
}

// flowStep runs a part; it tells how that ended.
type flowStep func(m *flowRun) ending

type ending int

const (
	through ending = iota
	broken
	continued
	returned
)

// flowRun is a run: values, where each variable was defined, and pairs.
type flowRun struct {
	value map[string]uint32
	set   map[string]int
	pairs map[[2]int]string // lines of definition and use: the variable
	fuel  *int

	statics *flowRun // of variables that keep their values; nil there
}

// frame is a call within the run.
func (m *flowRun) frame() *flowRun {
	return &flowRun{value: map[string]uint32{}, set: map[string]int{}, pairs: m.pairs, fuel: m.fuel, statics: m.statics}
}

// of is where a variable is: statics begin with a g.
func (m *flowRun) of(v string) *flowRun {
	if v[0] == 'g' && m.statics != nil {
		return m.statics
	}
	return m
}

// flowExpr is the value of an expression.
type flowExpr func(m *flowRun) uint32

func (p *flowProgram) put(format string, args ...any) int {
	fmt.Fprintf(&p.text, format+"\n", args...)
	p.line++
	return p.line
}

func (p *flowProgram) any() string { return p.vars[p.r.Intn(len(p.vars))] }

func (m *flowRun) use(v string, line int) uint32 {
	o := m.of(v)
	if o.set[v] != 0 { // no definition has set it, else
		m.pairs[[2]int{o.set[v], line}] = v
	}
	return o.value[v]
}

func (m *flowRun) define(v string, line int, x uint32) uint32 {
	o := m.of(v)
	o.set[v], o.value[v] = line, x
	return x
}

func truth(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// expr writes an expression and returns what it does.
func (p *flowProgram) expr(depth int) flowExpr {
	n := p.r.Intn(10)
	if depth <= 0 {
		n %= 3
	}
	switch n {
	case 0:
		c := uint32(p.r.Intn(5))
		p.put("%du", c)
		return func(*flowRun) uint32 { return c }
	case 1, 2:
		v := p.any()
		l := p.put("%s", v)
		return func(m *flowRun) uint32 { return m.use(v, l) }
	case 3, 4:
		op := []string{"+", "-", "*", "<", "=="}[p.r.Intn(5)]
		p.put("(")
		a := p.pure(depth - 1)
		p.put("%s", op)
		b := p.pure(depth - 1)
		p.put(")")
		return func(m *flowRun) uint32 {
			x, y := a(m), b(m)
			return map[string]uint32{"+": x + y, "-": x - y, "*": x * y, "<": truth(x < y), "==": truth(x == y)}[op]
		}
	case 5:
		and := p.r.Intn(2) == 0
		p.put("(")
		a := p.expr(depth - 1)
		p.put("%s", map[bool]string{true: "&&", false: "||"}[and])
		b := p.expr(depth - 1)
		p.put(")")
		return func(m *flowRun) uint32 {
			if (a(m) != 0) != and {
				return truth(!and)
			}
			return truth(b(m) != 0)
		}
	case 6:
		p.put("(")
		c := p.expr(depth - 1)
		p.put("?")
		a := p.expr(depth - 1)
		p.put(":")
		b := p.expr(depth - 1)
		p.put(")")
		return func(m *flowRun) uint32 {
			if c(m) != 0 {
				return a(m)
			}
			return b(m)
		}
	case 7:
		return p.assignment(depth)
	case 8:
		v, op := p.any(), []string{"++", "--"}[p.r.Intn(2)]
		d := uint32(1)
		if op == "--" {
			d = ^uint32(0)
		}
		if p.r.Intn(2) == 0 {
			l := p.put("(%s%s)", op, v)
			return func(m *flowRun) uint32 { return m.define(v, l, m.use(v, l)+d) }
		}
		l := p.put("(%s%s)", v, op)
		return func(m *flowRun) uint32 { x := m.use(v, l); m.define(v, l, x+d); return x }
	}
	p.put("(")
	a := p.expr(depth - 1)
	p.put(",")
	b := p.expr(depth - 1)
	p.put(")")
	return func(m *flowRun) uint32 { a(m); return b(m) }
}

// pure is an expression without effects: C leaves the order of operands open.
func (p *flowProgram) pure(depth int) flowExpr {
	if depth > 0 && p.r.Intn(3) == 0 {
		p.put("(")
		a := p.pure(depth - 1)
		p.put("+")
		b := p.pure(depth - 1)
		p.put(")")
		return func(m *flowRun) uint32 { return a(m) + b(m) }
	}
	return p.expr(0)
}

func (p *flowProgram) assignment(depth int) flowExpr {
	v := p.any()
	op := []string{"=", "=", "+=", "-="}[p.r.Intn(4)]
	l := p.put("(%s %s", v, op)
	e := p.pure(depth - 1)
	p.put(")")
	return func(m *flowRun) uint32 {
		x := uint32(0)
		if op != "=" {
			x = m.use(v, l)
		}
		y := e(m)
		switch op {
		case "+=":
			y = x + y
		case "-=":
			y = x - y
		}
		return m.define(v, l, y)
	}
}

func (p *flowProgram) block(n int) flowStep {
	var steps []flowStep
	p.depth++
	for range n {
		steps = append(steps, p.stmt())
	}
	p.depth--
	return func(m *flowRun) ending {
		for _, s := range steps {
			if e := s(m); e != through {
				return e
			}
		}
		return through
	}
}

func (p *flowProgram) stmt() flowStep {
	n := p.r.Intn(13)
	if p.depth > 3 {
		n %= 4
	}
	switch n {
	case 12:
		if p.callee >= 0 {
			return p.call(p.callee)
		}
		fallthrough
	default:
		e := p.assignment(2)
		p.put(";")
		return func(m *flowRun) ending { e(m); return through }
	case 3:
		if p.loops > 0 && p.r.Intn(2) == 0 {
			end := []ending{broken, continued}[p.r.Intn(2)]
			p.put("if (")
			c := p.expr(1)
			p.put(") %s;", map[ending]string{broken: "break", continued: "continue"}[end])
			return func(m *flowRun) ending {
				if c(m) != 0 {
					return end
				}
				return through
			}
		}
		p.put("if (")
		c := p.expr(1)
		p.put(") return")
		e := p.expr(1)
		p.put(";")
		return func(m *flowRun) ending {
			if c(m) != 0 {
				e(m)
				return returned
			}
			return through
		}
	case 5, 6:
		p.put("if (")
		c := p.expr(2)
		p.put(") {")
		yes := p.block(1 + p.r.Intn(2))
		no := func(*flowRun) ending { return through }
		if p.r.Intn(2) == 0 {
			p.put("} else {")
			no = p.block(1 + p.r.Intn(2))
		}
		p.put("}")
		return func(m *flowRun) ending {
			if c(m) != 0 {
				return yes(m)
			}
			return no(m)
		}
	case 7, 8:
		return p.loop()
	case 9:
		return p.choice()
	case 10: // a variable of the block, declared anew each time
		outer := p.vars
		v := fmt.Sprintf("v%d", p.line)
		p.put("{ unsigned")
		l := p.put("%s =", v)
		e := p.pure(1)
		p.put(";")
		p.vars = append(slices.Clone(outer), v)
		b := p.block(2)
		p.vars = outer
		p.put("}")
		return func(m *flowRun) ending { m.define(v, l, e(m)); return b(m) }
	}
}

func (p *flowProgram) call(callee int) flowStep {
	p.put("f%d(", callee)
	var args [3]flowExpr
	for i := range args {
		args[i] = p.pure(1)
		p.put("%s", []string{",", ",", ");"}[i])
	}
	return func(m *flowRun) ending {
		in := m.frame()
		for i, v := range []string{"a", "b", "c"} {
			in.define(v, p.params[callee][i], args[i](m))
		}
		p.body[callee](in)
		return through
	}
}

func (p *flowProgram) loop() flowStep {
	kind := p.r.Intn(3)
	first, post := flowExpr(func(*flowRun) uint32 { return 0 }), flowExpr(func(*flowRun) uint32 { return 0 })
	var cond flowExpr
	p.loops++
	switch kind {
	case 0:
		p.put("while (fuel-- > 0 && (")
		cond = p.expr(1)
		p.put(")) {")
	case 1:
		p.put("do {")
	case 2:
		p.put("for (")
		first = p.assignment(1)
		p.put("; fuel-- > 0 && (")
		cond = p.expr(1)
		p.put(");")
		post = p.expr(2)
		p.put(") {")
	}
	b := p.block(1 + p.r.Intn(3))
	if kind == 1 {
		p.put("} while (fuel-- > 0 && (")
		cond = p.expr(1)
		p.put("));")
	} else {
		p.put("}")
	}
	p.loops--
	more := func(m *flowRun) bool { *m.fuel--; return *m.fuel >= 0 && cond(m) != 0 }
	return func(m *flowRun) ending {
		first(m)
		for kind == 1 || more(m) {
			switch b(m) {
			case broken:
				return through
			case returned:
				return returned
			}
			post(m)
			if kind == 1 && !more(m) {
				break
			}
		}
		return through
	}
}

// choice is a switch, some cases of which fall through.
func (p *flowProgram) choice() flowStep {
	p.put("switch (")
	c := p.expr(1)
	p.put(") {")
	var parts []flowStep
	var stops []bool
	n := 2 + p.r.Intn(2)
	byDefault := -1
	loops := p.loops
	p.loops = 0 // break would leave the switch
	for i := range n {
		if i == n-1 && p.r.Intn(2) == 0 {
			byDefault = i
			p.put("default:")
		} else {
			p.put("case %d:", i)
		}
		parts = append(parts, p.block(1))
		stop := p.r.Intn(2) == 0
		stops = append(stops, stop)
		if stop {
			p.put("break;")
		}
	}
	p.loops = loops
	p.put("}")
	return func(m *flowRun) ending {
		at := int(min(c(m), uint32(n)))
		if at >= n || at == byDefault {
			at = byDefault
		}
		for i := at; i >= 0 && i < n; i++ {
			if e := parts[i](m); e != through {
				return e
			}
			if stops[i] {
				break
			}
		}
		return through
	}
}
