// Package suite drops redundant tests: it keeps a small set that covers all
// that the whole set covers.
//
// It exists because engines write a test for each path or label, most of which
// other tests cover too. It promises that nothing covered is lost and that no
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
)

// Test is a test and the labels that count as covered by it.
type Test struct {
	Name string
	Size int       // bytes; of tests that add as much, the smaller is kept
	At   time.Time // then the older one
	Hits []label.ID
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
