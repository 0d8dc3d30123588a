package solver

import (
	"slices"

	"klabel/engine/native/expr"
)

const (
	maxAnswers = 1 << 16 // recorded answers before the older half is forgotten
	maxModels  = 16      // recent models that are tried
	maxCores   = 16      // contradictions kept for each constraint
)

// cache remembers answers. Nothing in it is believed by hash alone.
type cache struct {
	young, old map[uint64]answer
	models     [maxModels]*expr.Model
	next       int
	cores      map[uint64][][]uint64 // by the newest constraint of the contradiction: the IDs of the others
	nCores     int
	scratch    map[uint64]struct{}
}

type answer struct {
	ids []uint64 // of the constraints, sorted
	r   Result
	m   *expr.Model
}

func (c *cache) init() {
	c.young = make(map[uint64]answer)
	c.cores = make(map[uint64][][]uint64)
	c.scratch = make(map[uint64]struct{})
}

func sortedIDs(cs []*expr.Expr) []uint64 {
	ids := make([]uint64, len(cs))
	for i, e := range cs {
		ids[i] = e.ID()
	}
	slices.Sort(ids)
	return ids
}

// exact finds the answer to the very same conjunction.
func (c *cache) exact(key uint64, cs []*expr.Expr) (Result, *expr.Model) {
	a, ok := c.young[key]
	if !ok {
		if a, ok = c.old[key]; !ok {
			return Unknown, nil
		}
	}
	if len(a.ids) != len(cs) || !slices.Equal(a.ids, sortedIDs(cs)) {
		return Unknown, nil
	}
	return a.r, a.m
}

// tryModels looks for a recent model under which all of cs hold; q, the most
// selective one, is evaluated first.
func (c *cache) tryModels(ev *expr.Evaluator, q *expr.Expr, cs []*expr.Expr) *expr.Model {
	for i := 1; i <= maxModels; i++ {
		m := c.models[(c.next-i+maxModels)%maxModels]
		if m == nil {
			return nil
		}
		if ev.Holds(q, m) && ev.All(cs, m) {
			return m
		}
	}
	return nil
}

// contradicts reports whether cs includes a recorded contradiction.
func (c *cache) contradicts(cs []*expr.Expr) bool {
	ready := false
	for _, e := range cs {
		for _, core := range c.cores[e.ID()] {
			if !ready {
				clear(c.scratch)
				for _, k := range cs {
					c.scratch[k.ID()] = struct{}{}
				}
				ready = true
			}
			in := len(core) < len(cs)
			for _, id := range core {
				if _, ok := c.scratch[id]; !ok {
					in = false
					break
				}
			}
			if in {
				return true
			}
		}
	}
	return false
}

func (c *cache) put(key uint64, a answer) {
	if len(c.young) >= maxAnswers/2 {
		c.old, c.young = c.young, make(map[uint64]answer)
	}
	c.young[key] = a
}

func (c *cache) addSat(key uint64, cs []*expr.Expr, m *expr.Model) {
	c.put(key, answer{ids: sortedIDs(cs), r: Sat, m: m})
	c.models[c.next] = m
	c.next = (c.next + 1) % maxModels
}

func (c *cache) addUnsat(key uint64, cs, core []*expr.Expr) {
	c.put(key, answer{ids: sortedIDs(cs), r: Unsat})
	if len(core) == 0 {
		return
	}
	ids := sortedIDs(core)
	last := ids[len(ids)-1]
	if c.nCores >= maxAnswers {
		clear(c.cores)
		c.nCores = 0
	}
	have := c.cores[last]
	if len(have) >= maxCores {
		copy(have, have[1:])
		have = have[:len(have)-1]
		c.nCores--
	}
	c.cores[last] = append(have, ids[:len(ids)-1])
	c.nCores++
}
