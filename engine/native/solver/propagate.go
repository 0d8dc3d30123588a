package solver

func (s *cdcl) assign(l lit, why cref) {
	s.val[l], s.val[l^1] = 1, -1
	v := l >> 1
	s.level[v] = int32(len(s.lims))
	s.reason[v] = why
	s.trail = append(s.trail, l)
}

const noConflict cref = 0

// propagate follows all consequences. On a conflict it returns the clause; for
// a binary one its literals are in s.stack[:2] and the result is binaryFlag.
func (s *cdcl) propagate() cref {
	val := s.val
	for s.head < len(s.trail) {
		p := s.trail[s.head].not() // became false
		s.head++
		ws := s.watches[p]
		kept := 0
		for i := 0; i < len(ws); i++ {
			w := ws[i]
			bv := val[w.blocker]
			if bv > 0 {
				ws[kept] = w
				kept++
				continue
			}
			if w.c == binaryFlag {
				ws[kept] = w
				kept++
				if bv < 0 {
					kept += copy(ws[kept:], ws[i+1:])
					s.watches[p] = ws[:kept]
					s.head = len(s.trail)
					s.stack = append(s.stack[:0], p, w.blocker)
					return binaryFlag
				}
				s.assign(w.blocker, binaryFlag|cref(p))
				continue
			}
			h := s.arena[w.c]
			if h&headDead != 0 {
				continue
			}
			n := cref(h & headSize)
			ls := s.arena[w.c+2 : w.c+2+n]
			if lit(ls[0]) == p {
				ls[0], ls[1] = ls[1], ls[0]
			}
			first := lit(ls[0])
			if first != w.blocker && val[first] > 0 {
				ws[kept] = watch{w.c, first}
				kept++
				continue
			}
			found := false
			for k := 2; k < len(ls); k++ {
				if l := lit(ls[k]); val[l] >= 0 {
					ls[1], ls[k] = ls[k], ls[1]
					s.watches[l] = append(s.watches[l], watch{w.c, first})
					found = true
					break
				}
			}
			if found {
				continue
			}
			ws[kept] = watch{w.c, first}
			kept++
			if val[first] < 0 {
				kept += copy(ws[kept:], ws[i+1:])
				s.watches[p] = ws[:kept]
				s.head = len(s.trail)
				return w.c
			}
			s.assign(first, w.c)
		}
		s.watches[p] = ws[:kept]
	}
	return noConflict
}

func (s *cdcl) backtrack(level int) {
	if len(s.lims) <= level {
		return
	}
	to := int(s.lims[level])
	for i := len(s.trail) - 1; i >= to; i-- {
		l := s.trail[i]
		v := l >> 1
		s.val[l], s.val[l^1] = 0, 0
		s.phase[v] = l&1 == 1
		if s.place[v] < 0 {
			s.heapInsert(int32(v))
		}
	}
	s.trail = s.trail[:to]
	s.lims = s.lims[:level]
	s.head = to
}
