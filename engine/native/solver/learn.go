package solver

import "slices"

// resolve learns a clause from a conflict, goes back and asserts it.
func (s *cdcl) resolve(c cref) {
	s.learnt = append(s.learnt[:0], 0)
	s.toClear = s.toClear[:0]
	here := int32(len(s.lims))
	open := 0
	visit := func(l lit) {
		v := l >> 1
		if s.seen[v] || s.level[v] == 0 {
			return
		}
		s.seen[v] = true
		s.toClear = append(s.toClear, l)
		s.bump(int32(v))
		if s.level[v] == here {
			open++
		} else {
			s.learnt = append(s.learnt, l)
		}
	}
	at := len(s.trail) - 1
	p := litTrue
	if c == binaryFlag {
		visit(s.stack[0])
		visit(s.stack[1])
	} else {
		s.bumpClause(c)
		for _, l := range s.lits(c) {
			visit(lit(l))
		}
	}
	for {
		for !s.seen[s.trail[at]>>1] {
			at--
		}
		p = s.trail[at]
		at--
		open--
		if open == 0 {
			break
		}
		if r := s.reason[p>>1]; r&binaryFlag != 0 {
			visit(lit(r &^ binaryFlag))
		} else {
			s.bumpClause(r)
			for _, l := range s.lits(r) {
				if lit(l) != p {
					visit(lit(l))
				}
			}
		}
	}
	s.learnt[0] = p.not()
	s.minimize()
	for _, l := range s.toClear {
		s.seen[l>>1] = false
	}
	lbd := s.countLevels(s.learnt)
	s.fast += (float64(lbd) - s.fast) / 32
	s.slow += (float64(lbd) - s.slow) / float64(min(s.conflicts, 4096))
	s.inc *= 1 / 0.95
	if s.inc > 1e100 {
		s.rescale()
	}
	switch len(s.learnt) {
	case 1:
		s.backtrack(0)
		s.assign(s.learnt[0], noReason)
		return
	}
	high := 1 // the second watch goes to the literal that opens last
	for i := 2; i < len(s.learnt); i++ {
		if s.level[s.learnt[i]>>1] > s.level[s.learnt[high]>>1] {
			high = i
		}
	}
	s.learnt[1], s.learnt[high] = s.learnt[high], s.learnt[1]
	s.backtrack(int(s.level[s.learnt[1]>>1]))
	if len(s.learnt) == 2 {
		s.watchBinary(s.learnt[0], s.learnt[1])
		s.assign(s.learnt[0], binaryFlag|cref(s.learnt[1]))
		return
	}
	n := s.store(s.learnt, true)
	s.arena[n+1] = uint32(lbd) << 1
	s.learnts = append(s.learnts, n)
	s.attach(n)
	s.assign(s.learnt[0], n)
}

// bumpClause marks a learnt clause as used since the last reduction.
func (s *cdcl) bumpClause(c cref) {
	if s.arena[c]&headLearnt != 0 {
		s.arena[c+1] |= 1
	}
}

// minimize drops literals that follow from the others.
func (s *cdcl) minimize() {
	var levels uint64
	for _, l := range s.learnt[1:] {
		levels |= 1 << (uint(s.level[l>>1]) & 63)
	}
	kept := s.learnt[:1]
	for _, l := range s.learnt[1:] {
		if s.reason[l>>1] == noReason || !s.redundant(l, levels) {
			kept = append(kept, l)
		}
	}
	s.learnt = kept
}

func (s *cdcl) redundant(l lit, levels uint64) bool {
	s.stack = append(s.stack[:0], l)
	top := len(s.toClear)
	ok := true
	check := func(k lit) {
		v := k >> 1
		if !ok || s.seen[v] || s.level[v] == 0 {
			return
		}
		if s.reason[v] == noReason || levels>>(uint(s.level[v])&63)&1 == 0 {
			ok = false
			return
		}
		s.seen[v] = true
		s.toClear = append(s.toClear, k)
		s.stack = append(s.stack, k)
	}
	for len(s.stack) > 0 && ok {
		q := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		if r := s.reason[q>>1]; r&binaryFlag != 0 {
			check(lit(r &^ binaryFlag))
		} else {
			for _, k := range s.lits(r) {
				if lit(k)>>1 != q>>1 {
					check(lit(k))
				}
			}
		}
	}
	if !ok {
		for _, k := range s.toClear[top:] {
			s.seen[k>>1] = false
		}
		s.toClear = s.toClear[:top]
	}
	return ok
}

// countLevels counts the decision levels in a clause: fewer is better.
func (s *cdcl) countLevels(ls []lit) int {
	for len(s.levels) <= len(s.lims) {
		s.levels = append(s.levels, 0)
	}
	s.stamp++
	if s.stamp == 0 {
		clear(s.levels)
		s.stamp = 1
	}
	n := 0
	for _, l := range ls {
		if k := s.level[l>>1]; s.levels[k] != s.stamp {
			s.levels[k] = s.stamp
			n++
		}
	}
	return n
}

// explain finds the assumptions that make assumption a false.
func (s *cdcl) explain(a lit) {
	s.conflict = append(s.conflict[:0], a)
	if s.level[a>>1] == 0 {
		return
	}
	s.seen[a>>1] = true
	for i := len(s.trail) - 1; i >= int(s.lims[0]); i-- {
		l := s.trail[i]
		if !s.seen[l>>1] {
			continue
		}
		s.seen[l>>1] = false
		switch r := s.reason[l>>1]; {
		case r == noReason:
			s.conflict = append(s.conflict, l)
		case r&binaryFlag != 0:
			k := lit(r &^ binaryFlag)
			s.seen[k>>1] = s.seen[k>>1] || s.level[k>>1] > 0
		default:
			for _, k := range s.lits(r) {
				if v := lit(k) >> 1; v != l>>1 && s.level[v] > 0 {
					s.seen[v] = true
				}
			}
		}
	}
}

// reduce forgets the half of the learnt clauses that look least useful.
func (s *cdcl) reduce() {
	score := func(c cref) uint32 {
		v := s.arena[c+1]
		if v&1 != 0 { // used lately
			return v >> 2
		}
		return v >> 1
	}
	slices.SortStableFunc(s.learnts, func(a, b cref) int { return int(score(a)) - int(score(b)) })
	kept := s.learnts[:0]
	half := len(s.learnts) / 2
	for i, c := range s.learnts {
		first := lit(s.lits(c)[0])
		locked := s.val[first] > 0 && s.reason[first>>1] == c
		if i < half || s.arena[c+1]>>1 <= 2 || locked {
			s.arena[c+1] &^= 1
			kept = append(kept, c)
			continue
		}
		s.wasted += int(s.arena[c]&headSize) + 2
		s.arena[c] |= headDead
	}
	s.learnts = kept
	if s.wasted*3 > len(s.arena) {
		s.compact()
	}
}

// compact moves the living clauses together.
func (s *cdcl) compact() {
	moved := make(map[cref]cref, len(s.learnts))
	to := cref(2)
	for c := cref(2); int(c) < len(s.arena); {
		n := cref(s.arena[c]&headSize) + 2
		if s.arena[c]&headDead == 0 {
			if c != to {
				copy(s.arena[to:to+n], s.arena[c:c+n])
				moved[c] = to
			}
			to += n
		} else {
			moved[c] = noReason
		}
		c += n
	}
	s.arena = s.arena[:to]
	s.wasted = 0
	for i := range s.watches {
		kept := s.watches[i][:0]
		for _, w := range s.watches[i] {
			if w.c != binaryFlag {
				if n, ok := moved[w.c]; ok {
					if n == noReason {
						continue
					}
					w.c = n
				}
			}
			kept = append(kept, w)
		}
		s.watches[i] = kept
	}
	for i, c := range s.learnts {
		if n, ok := moved[c]; ok {
			s.learnts[i] = n
		}
	}
	for _, l := range s.trail {
		if r := s.reason[l>>1]; r&binaryFlag == 0 {
			if n, ok := moved[r]; ok {
				s.reason[l>>1] = n
			}
		}
	}
}
