package logic

import (
	"fmt"
	"math/rand"
	"testing"
)

// random makes a decision over all of n atoms, each used once or more.
func random(r *rand.Rand, n int) *Form {
	var build func(atoms []int) *Form
	build = func(atoms []int) *Form {
		var f *Form
		if len(atoms) == 1 {
			f = Atom(atoms[0])
		} else {
			k := 1 + r.Intn(len(atoms)-1)
			a, b := build(atoms[:k]), build(atoms[k:])
			// Built by hand: the constructors would simplify coupled atoms.
			op := OpAnd
			if r.Intn(2) == 0 {
				op = OpOr
			}
			f = &Form{Op: op, Kids: []*Form{a, b}}
		}
		if r.Intn(4) == 0 {
			f = &Form{Op: OpNot, Kids: []*Form{f}}
		}
		return f
	}
	var atoms []int
	for i := range n {
		atoms = append(atoms, i)
	}
	f := build(atoms)
	if n > 1 && r.Intn(3) == 0 { // coupled atoms
		f = &Form{Op: OpOr, Kids: []*Form{f, build([]int{r.Intn(n), r.Intn(n)})}}
	}
	return f
}

// points is the set of assignments that satisfy a predicate, as a bit set.
func points(n int, holds func(uint64) bool) uint32 {
	var s uint32
	for b := range uint64(1) << n {
		if holds(b) {
			s |= 1 << b
		}
	}
	return s
}

// textbook states each criterion by its definition over the truth table: a
// list of test requirements, each the set of assignments that meet it.
// Requirements that nothing meets are left out: no suite is asked for them.
var textbook = map[string]func(f *Form, n int) []uint32{
	"MCC": func(_ *Form, n int) (out []uint32) {
		for b := range uint64(1) << n {
			out = append(out, 1<<b)
		}
		return
	},
	"2-CC": func(_ *Form, n int) (out []uint32) {
		if n == 1 {
			return []uint32{1, 2}
		}
		for i := range n {
			for j := range i {
				for v := range uint64(4) {
					out = append(out, points(n, func(b uint64) bool { return b>>i&1 == v>>1 && b>>j&1 == v&1 }))
				}
			}
		}
		return
	},
	"GACC": func(f *Form, n int) (out []uint32) {
		for i := range n {
			for _, v := range []uint64{0, 1} {
				out = append(out, points(n, func(b uint64) bool {
					return b>>i&1 == v && f.Eval(b) != f.Eval(b^1<<i)
				}))
			}
		}
		return
	},
	"GICC": func(f *Form, n int) (out []uint32) {
		for i := range n {
			for v := range uint64(4) {
				out = append(out, points(n, func(b uint64) bool {
					return b>>i&1 == v&1 && f.Eval(b) == f.Eval(b^1<<i) && f.Eval(b) == (v>>1 == 1)
				}))
			}
		}
		return
	},
}

func TestCriteriaAreTheTextbookOnes(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	rounds := 400
	if testing.Short() {
		rounds = 100
	}
	for round := range rounds {
		n := 1 + round%5
		f := random(r, n)
		d := &Decision{Form: f, Atoms: n}
		for name, define := range textbook {
			var wants []Want
			switch name {
			case "MCC":
				wants = d.MCC()
			case "2-CC":
				wants = d.NCC(2)
			case "GACC":
				wants = d.GACC()
			case "GICC":
				wants = d.GICC()
			}
			sameSuites(t, r, fmt.Sprintf("%s of %s", name, show(f)), n, labelSets(d, wants), define(f, n))
		}
		for name, wants := range map[string][]Want{"IC": d.IC(), "UTPC": d.UTPC()} {
			sameSuites(t, r, fmt.Sprintf("%s of %s", name, show(f)), n, labelSets(d, wants),
				implicants(t, f, n, name == "UTPC"))
		}
	}
}

func show(f *Form) string { return f.C(func(i int) string { return string(rune('a' + i)) }) }

// labelSets are the assignments that cover each label.
func labelSets(d *Decision, wants []Want) (out []uint32) {
	for _, w := range wants {
		p := d.Render(w)
		out = append(out, points(d.Atoms, p.Eval))
	}
	return
}

// implicants checks that both DNFs are minimal covers by prime implicants, by
// trying all smaller ones, and states IC and UTPC over them.
func implicants(t *testing.T, f *Form, n int, unique bool) (out []uint32) {
	for _, g := range []*Form{f, {Op: OpNot, Kids: []*Form{f}}} {
		cubes := MinimalDNF(g, n)
		truth := points(n, g.Eval)
		var union uint32
		for _, c := range cubes {
			set := points(n, c.Holds)
			if set&^truth != 0 {
				t.Fatalf("%s: %v is no implicant", show(g), c)
			}
			for i := range n {
				bit := uint64(1) << i
				if c.Mask&bit != 0 && points(n, Cube{c.Mask &^ bit, c.Bits &^ bit}.Holds)&^truth == 0 {
					t.Fatalf("%s: implicant %v is not prime", show(g), c)
				}
			}
			union |= set
		}
		if union != truth {
			t.Fatalf("%s: the DNF is another function", show(g))
		}
		if k := smallestCover(g, n, truth, len(cubes)); k < len(cubes) {
			t.Fatalf("%s: a DNF of %d implicants exists, %d were found", show(g), k, len(cubes))
		}
		for i, c := range cubes {
			out = append(out, points(n, func(b uint64) bool {
				if !c.Holds(b) {
					return false
				}
				for j, o := range cubes {
					if unique && j != i && o.Holds(b) {
						return false
					}
				}
				return true
			}))
		}
	}
	return
}

// smallestCover is the size of the smallest DNF with fewer than limit
// implicants, by exhaustion, or limit.
func smallestCover(f *Form, n int, truth uint32, limit int) int {
	var sets []uint32
	for mask := range uint64(1) << n { // all implicants, by definition
		for bits := range uint64(1) << n {
			if bits&^mask == 0 {
				if s := points(n, Cube{mask, bits}.Holds); s&^truth == 0 {
					sets = append(sets, s)
				}
			}
		}
	}
	var maximal []uint32
	for i, s := range sets {
		ok := true
		for j, o := range sets {
			ok = ok && !(s&^o == 0 && s != o) && !(s == o && j < i)
		}
		if ok {
			maximal = append(maximal, s)
		}
	}
	best := limit
	var try func(left uint32, from, used int)
	try = func(left uint32, from, used int) {
		if left == 0 {
			best = min(best, used)
			return
		}
		if used+1 >= best {
			return
		}
		low := left & -left // someone has to cover the lowest point
		for _, s := range maximal {
			if s&low != 0 {
				try(left&^s, 0, used+1)
			}
		}
	}
	try(truth, 0, 0)
	return best
}

// sameSuites compares two lists of requirements by the suites that satisfy
// them: all suites of up to three atoms, and many of more.
func sameSuites(t *testing.T, r *rand.Rand, name string, n int, got, want []uint32) {
	t.Helper()
	satisfies := func(suite uint32, reqs []uint32) bool {
		for _, q := range reqs {
			if q != 0 && suite&q == 0 {
				return false
			}
		}
		return true
	}
	check := func(suite uint32) {
		if satisfies(suite, got) != satisfies(suite, want) {
			t.Fatalf("%s: suite %b: labels %v, definition %v\nlabels %b\ndefinition %b", name, suite,
				satisfies(suite, got), satisfies(suite, want), got, want)
		}
	}
	all := uint64(1) << (1 << n)
	if n <= 3 {
		for s := range all {
			check(uint32(s))
		}
		return
	}
	// Suites that just miss one requirement tell most.
	for _, q := range append(append([]uint32(nil), got...), want...) {
		check(uint32(all-1) &^ q)
		for b := range 1 << n {
			check(uint32(all-1)&^q | q&(1<<b))
		}
	}
	for range 300 {
		s := uint32(r.Uint64() & (all - 1))
		check(s)
		check(s | uint32(r.Uint64()&(all-1)))
	}
}

// TestGuarded checks that a predicate never looks at an atom that the decision
// has not evaluated, and that what it says is right for what it can see.
func TestGuarded(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for round := range 600 {
		n := 1 + round%5
		f := build(r, n)
		d := &Decision{Form: f, Atoms: n, Guarded: r.Uint64() & (1<<n - 1)}
		for name, wants := range map[string][]Want{"MCC": d.MCC(), "2-CC": d.NCC(2), "GACC": d.GACC(), "GICC": d.GICC(),
			"IC": d.IC(), "UTPC": d.UTPC()} {
			for _, w := range wants {
				p := d.Render(w)
				for b := range uint64(1) << n {
					looks := map[int]bool{}
					got := evalWatching(p, b, looks)
					seen := d.observable(b)
					for a := range looks {
						if seen>>a&1 == 0 {
							t.Fatalf("%s of %s (guarded %b): %s looks at %c under %b", name, show(f), d.Guarded,
								show(p), 'a'+a, b)
						}
					}
					if want := meaning(w, seen, b, n); got != want {
						t.Fatalf("%s of %s (guarded %b): %s is %v under %b, want %v", name, show(f), d.Guarded, show(p),
							got, b, want)
					}
				}
			}
		}
	}
}

// build is random without coupled atoms: guarded atoms are never coupled.
func build(r *rand.Rand, n int) *Form {
	for {
		f := random(r, n)
		if countAtoms(f) == n {
			return f
		}
	}
}

func countAtoms(f *Form) int {
	if f.Op == OpAtom {
		return 1
	}
	n := 0
	for _, k := range f.Kids {
		n += countAtoms(k)
	}
	return n
}

// meaning judges a want by its definition: literals must be seen, the
// condition is quantified over what is not.
func meaning(w Want, seen, bits uint64, n int) bool {
	if w.Cube.Mask&^seen != 0 || !w.Cube.Holds(bits) {
		return false
	}
	if w.Cond == nil {
		return true
	}
	some, all := false, true
	for c := range uint64(1) << n {
		if c&seen == bits&seen&(1<<n-1) {
			v := w.Cond.Eval(c)
			some, all = some || v, all && v
		}
	}
	if w.Quant == MaybeSo {
		return some
	}
	return all
}

// evalWatching evaluates as C does and notes which atoms were looked at.
func evalWatching(f *Form, bits uint64, looks map[int]bool) bool {
	switch f.Op {
	case OpAtom:
		looks[f.Atom] = true
		return bits>>f.Atom&1 != 0
	case OpTrue:
		return true
	case OpNot:
		return !evalWatching(f.Kids[0], bits, looks)
	case OpAnd, OpOr:
		for _, k := range f.Kids {
			if evalWatching(k, bits, looks) == (f.Op == OpOr) {
				return f.Op == OpOr
			}
		}
		return f.Op == OpAnd
	case OpCond:
		if evalWatching(f.Kids[0], bits, looks) {
			return evalWatching(f.Kids[1], bits, looks)
		}
		return evalWatching(f.Kids[2], bits, looks)
	case OpNeq:
		a, b := evalWatching(f.Kids[0], bits, looks), evalWatching(f.Kids[1], bits, looks)
		return a != b
	}
	return false
}

// TestMCCUnderGuards: combinations that differ in skipped atoms are one label,
// and every run of the decision covers exactly one.
func TestMCCUnderGuards(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 300 {
		n := 1 + r.Intn(5)
		d := &Decision{Form: build(r, n), Atoms: n, Guarded: 1<<n - 1}
		for b := range uint64(1) << n {
			hits := 0
			for _, w := range d.MCC() {
				if d.Render(w).Eval(b) {
					hits++
				}
			}
			if hits != 1 {
				t.Fatalf("%s under %b covers %d labels", show(d.Form), b, hits)
			}
		}
	}
}

func TestText(t *testing.T) {
	a, b, c := Atom(0), Atom(1), Atom(2)
	for _, x := range []struct {
		d    Decision
		name string
		want []string
	}{
		{Decision{Form: And(a, b), Atoms: 2}, "GACC", []string{"a && b", "!a && b", "b && a", "!b && a"}},
		{Decision{Form: Or(And(a, b), c), Atoms: 3}, "IC", []string{"c", "a && b", "!a && !c", "!b && !c"}},
		{Decision{Form: Or(And(a, b), c), Atoms: 3}, "UTPC", []string{"c && !(a && b)", "a && b && !c", "!a && !c && b", "!b && !c && a"}},
		{Decision{Form: And(a, b), Atoms: 2, Guarded: 2}, "MCC", []string{"a && b", "!a", "a && !b"}},
	} {
		wants := map[string]func() []Want{"GACC": x.d.GACC, "IC": x.d.IC, "UTPC": x.d.UTPC, "MCC": x.d.MCC}[x.name]()
		var got []string
		for _, w := range wants {
			got = append(got, show(x.d.Render(w)))
		}
		if fmt.Sprint(got) != fmt.Sprint(x.want) {
			t.Errorf("%s of %s:\ngot  %q\nwant %q", x.name, show(x.d.Form), got, x.want)
		}
	}
}
