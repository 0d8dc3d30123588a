// Package suite drops redundant tests: it keeps a small set that covers all
// that the whole set covers. And it makes the tests that stay simpler.
//
// It exists because engines write a test for each path or label, most of which
// other tests cover too, and because drawn and mutated tests are full of values
// that do not matter. It promises that nothing covered is lost and that no
// kept test can be left out; that the answer depends on the tests alone, not on
// their order; and time nearly linear in the number of hits. Limits: a
// smallest set is not sought, that is NP-hard.
package suite

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
	"time"

	"klabel/label"
	"klabel/objective"
)

// Test is a test and the labels that count as covered by it.
type Test struct {
	Name string
	Size int       // bytes; of tests that add as much, the smaller is kept
	At   time.Time // then the older one
	Hits []label.ID
}

// ReduceFor returns the tests to keep, oldest first, where some labels count for
// nothing but what objectives ask of them: of those it keeps what makes every
// objective true that all tests make true.
func ReduceFor(tests []Test, paired map[label.ID]bool, wants []*objective.Expr) []Test {
	hit := map[label.ID]bool{}
	for _, t := range tests {
		for _, id := range t.Hits {
			hit[id] = true
		}
	}
	has := func(id label.ID) bool { return hit[id] }
	wants = slices.DeleteFunc(slices.Clone(wants), func(e *objective.Expr) bool { return !e.Covered(has) })
	chosen := objective.Choose(wants, has)
	kept := Reduce(tests, func(id label.ID) bool { return !paired[id] || chosen[id] })
	if len(wants) == 0 {
		return kept
	}
	// Other pairs than the chosen ones may do with fewer tests.
	times := map[label.ID]int{}
	for _, t := range kept {
		count(times, t, 1)
	}
	asked := map[label.ID][]*objective.Expr{}
	for _, e := range wants {
		for _, id := range e.Labels() {
			asked[id] = append(asked[id], e)
		}
	}
	return slices.DeleteFunc(kept, func(t Test) bool {
		count(times, t, -1)
		for _, id := range t.Hits {
			if times[id] > 0 {
				continue
			}
			if !paired[id] || slices.ContainsFunc(asked[id], func(e *objective.Expr) bool {
				return !e.Covered(func(id label.ID) bool { return times[id] > 0 })
			}) {
				count(times, t, 1)
				return false
			}
		}
		return true
	})
}

// count adds a test's hits, each once.
func count(times map[label.ID]int, t Test, by int) {
	hits := slices.Clone(t.Hits)
	slices.Sort(hits)
	for _, id := range slices.Compact(hits) {
		times[id] += by
	}
}

// Reduce returns the tests to keep, oldest first. Only labels for which counts
// is true are looked at; nil: all.
func Reduce(tests []Test, counts func(label.ID) bool) []Test {
	q := &queue{}
	left := map[label.ID]bool{}
	for _, t := range tests {
		e := &entry{Test: t}
		for _, id := range t.Hits {
			if counts == nil || counts(id) {
				e.want = append(e.want, id)
				left[id] = true
			}
		}
		slices.Sort(e.want)
		e.want = slices.Compact(e.want)
		e.gain = len(e.want)
		*q = append(*q, e)
	}
	heap.Init(q)
	var kept []*entry
	for len(left) > 0 {
		e := (*q)[0]
		// The gain may be out of date; it can only have become less.
		gain := 0
		for _, id := range e.want {
			if left[id] {
				gain++
			}
		}
		if gain < e.gain {
			e.gain = gain
			heap.Fix(q, 0)
			continue
		}
		heap.Pop(q)
		for _, id := range e.want {
			delete(left, id)
		}
		kept = append(kept, e)
	}
	kept = dropCovered(kept)
	slices.SortFunc(kept, func(a, b *entry) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Name, b.Name)) })
	out := make([]Test, len(kept))
	for i, e := range kept {
		out[i] = e.Test
	}
	return out
}

// dropCovered leaves out the tests that those chosen after them made
// redundant, least valuable first.
func dropCovered(kept []*entry) []*entry {
	times := map[label.ID]int{}
	for _, e := range kept {
		for _, id := range e.want {
			times[id]++
		}
	}
	slices.SortFunc(kept, func(a, b *entry) int { return -compare(a, b, len(a.want), len(b.want)) })
	return slices.DeleteFunc(kept, func(e *entry) bool {
		for _, id := range e.want {
			if times[id] == 1 {
				return false
			}
		}
		for _, id := range e.want {
			times[id]--
		}
		return true
	})
}

type entry struct {
	Test
	want []label.ID // the hits that count
	gain int        // how many of them no kept test covers; at most that many
}

// compare orders tests by value: those that add more come first, then smaller,
// then older ones.
func compare(a, b *entry, gainA, gainB int) int {
	return cmp.Or(cmp.Compare(gainB, gainA), cmp.Compare(a.Size, b.Size), a.At.Compare(b.At),
		strings.Compare(a.Name, b.Name))
}

type queue []*entry

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return compare(q[i], q[j], q[i].gain, q[j].gain) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*entry)) }
func (q *queue) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}
