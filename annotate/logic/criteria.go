package logic

// MCC wants every combination of signs. Where guarded atoms make the decision
// skip some, combinations that differ only in skipped atoms are one.
func (d *Decision) MCC() []Want {
	var out []Want
	seen := map[Cube]bool{}
	for n := 1<<d.Atoms - 1; n >= 0; n-- {
		mask := d.observable(uint64(n))
		c := Cube{mask, uint64(n) & mask}
		if !seen[c] {
			seen[c] = true
			out = append(out, Want{Cube: c})
		}
	}
	return out
}

// NCC wants every combination of signs of each k atoms (of all, if there are
// fewer).
func (d *Decision) NCC(k int) []Want {
	k = min(k, d.Atoms)
	var out []Want
	var pick func(from int, chosen []int)
	pick = func(from int, chosen []int) {
		if len(chosen) == k {
			for s := 1<<k - 1; s >= 0; s-- {
				var c Cube
				for j, a := range chosen {
					c.Mask |= 1 << a
					if s>>(k-1-j)&1 != 0 {
						c.Bits |= 1 << a
					}
				}
				out = append(out, Want{Cube: c})
			}
			return
		}
		for a := from; a < d.Atoms; a++ {
			pick(a+1, append(chosen, a))
		}
	}
	pick(0, nil)
	return out
}

func literal(i int, v bool) Cube {
	c := Cube{Mask: 1 << i}
	if v {
		c.Bits = 1 << i
	}
	return c
}

// derivative is p[i:=1] != p[i:=0]: atom i decides.
func (d *Decision) derivative(i int) *Form { return Neq(d.Form.Set(i, true), d.Form.Set(i, false)) }

// GACC wants each atom to decide the outcome, true and false. An atom that the
// decision skipped counts as having the value that lets the major atom decide,
// as masking MC/DC does with short circuits.
func (d *Decision) GACC() []Want {
	var out []Want
	for i := range d.Atoms {
		for _, v := range []bool{true, false} {
			out = append(out, Want{Cube: literal(i, v), Cond: d.derivative(i), Quant: MaybeSo})
		}
	}
	return out
}

// GICC wants each atom not to decide, with both its signs and both outcomes.
// A skipped atom must not matter for that.
func (d *Decision) GICC() []Want {
	var out []Want
	for i := range d.Atoms {
		idle := Not(d.derivative(i))
		for _, outcome := range []bool{true, false} {
			for _, v := range []bool{true, false} {
				// Where i does not decide, the outcome is that of p with i set.
				p := d.Form.Set(i, v)
				if !outcome {
					p = Not(p)
				}
				out = append(out, Want{Cube: literal(i, v), Cond: And(idle, p), Quant: ForSure})
			}
		}
	}
	return out
}

// IC wants each implicant of a minimal DNF of the decision and of one of its
// negation.
func (d *Decision) IC() []Want {
	var out []Want
	for _, cubes := range d.bothDNF() {
		for _, c := range cubes {
			out = append(out, Want{Cube: c})
		}
	}
	return out
}

// UTPC wants, for each implicant of a minimal DNF of the decision and of one
// of its negation, that implicant and none of the others.
func (d *Decision) UTPC() []Want {
	var out []Want
	for _, cubes := range d.bothDNF() {
		for i, c := range cubes {
			var others []*Form
			for j, o := range cubes {
				if j != i {
					others = append(others, Not(o.without(c).form()))
				}
			}
			out = append(out, Want{Cube: c, Cond: And(others...), Quant: MaybeSo})
		}
	}
	return out
}

// without leaves out the literals that k fixes to the same sign: given k they
// hold. (Literals of the opposite sign stay, and make the rest false.)
func (c Cube) without(k Cube) Cube {
	same := c.Mask & k.Mask &^ (c.Bits ^ k.Bits)
	return Cube{c.Mask &^ same, c.Bits &^ same}
}

// bothDNF computes the minimal DNF of the decision and of its negation, once.
func (d *Decision) bothDNF() [2][]Cube {
	switch {
	case d.dnf != nil:
	case d.Form.Op == OpAtom:
		d.dnf = &[2][]Cube{{literal(d.Form.Atom, true)}, {literal(d.Form.Atom, false)}}
	default:
		d.dnf = &[2][]Cube{MinimalDNF(d.Form, d.Atoms), MinimalDNF(Not(d.Form), d.Atoms)}
	}
	return *d.dnf
}
