package campaign

import (
	"cmp"
	"context"
	"slices"
	"time"

	"klabel/ktest"
	"klabel/label"
)

// Allocations that fail. A run in which the third one does is, up to there, the run in which
// none does: to look what comes of it takes a replay and no engine. So entries of every
// variant let a test name the allocation that fails; engines make no test that does, and
// explore no more than they did. Where labels are open, tests of an entry that met labels in
// new ways are tried again with each of their first allocations failing, and each of their
// first calls on streams: a disk is full, a file cannot be read to its end. Those behind come
// when all tests had this: what builds an object within another one asks for memory often.

const (
	mostRefused  = 8 // allocations of a run that are tried at a time, and calls on streams
	lastRefused  = 40
	refusedAlike = 2 // in a row that change nothing: there are no more, most likely
	refusingPart = 4 // one of so many parts of a slice is for it
	leastRefuse  = 200 * time.Millisecond
)

// refuse lets allocations fail in tests of an entry that it has not done so in, until a moment,
// as long as labels are near.
func (c *session) refuse(ctx context.Context, e entry, end time.Time, near func() bool) {
	if e.inputs == nil || len(e.inputs.Failures()) == 0 {
		return
	}
	k, tried, before := c.judge, 0, c.judge.newly(e)
	defer func() {
		if tried > 0 {
			log.Debugf("%s, allocations that fail: %d labels in %d runs", e.name, k.newly(e)-before, tried)
		}
	}()
	for {
		s, at, ok := k.nextToRefuse(e)
		if !ok {
			return
		}
		base, err := ktest.Parse(s.test)
		if err != nil || e.inputs.LetsFail(base) {
			continue
		}
		more := false
		for _, what := range e.inputs.Failures() {
			alike := 0
			for n := s.refused + 1; n <= s.refused+mostRefused && alike < refusedAlike; n++ {
				if time.Now().After(end) || !near() {
					return
				}
				v, _, ok := k.try(ctx, e, refusing(base, what, n))
				if !ok {
					return
				}
				tried++
				if alike++; v.Outcome != label.Normal || !slices.Equal(v.Hits, s.hits) {
					alike = 0
				}
			}
			more = more || alike < refusedAlike
		}
		if more && s.refused+mostRefused < lastRefused {
			k.goOnRefusing(e, at)
		}
	}
}

// refusingTime is until when allocations may fail after a slice: where there is nothing left to
// explore no further slice may come.
func (f *follower) refusingTime(s slice, complete bool) time.Time {
	part := s.budget / refusingPart
	if complete {
		part = s.budget
	}
	least := time.Duration(max(1, f.judge.load()) * float64(leastRefuse))
	return earlier(time.Now().Add(max(part, least)), f.deadline)
}

// nextToRefuse takes the test of an entry that meets most, of those that were not taken yet, then of
// those that have had the fewest allocations fail and go on asking for memory, as it was before. at is its place.
func (k *judge) nextToRefuse(e entry) (s seed, at int, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	all, at := k.seeds.tests[e.name], -1
	for i, s := range all {
		if s.refused > 0 && !s.refusable {
			continue
		}
		if at < 0 || cmp.Or(cmp.Compare(all[at].refused, s.refused), cmp.Compare(len(s.hits), len(all[at].hits))) > 0 {
			at = i
		}
	}
	if at < 0 {
		return s, at, false
	}
	s = all[at]
	all[at].refused, all[at].refusable = s.refused+mostRefused, false
	return s, at, true
}

// goOnRefusing says that more allocations of a test may fail than did.
func (k *judge) goOnRefusing(e entry, at int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seeds.tests[e.name][at].refusable = true
}

// refusing is a test in which an allocation fails.
func refusing(t *ktest.Test, name string, n byte) *ktest.Test {
	x := *t
	x.Objects = append(slices.Clone(t.Objects), ktest.Object{Name: name, Data: []byte{n}})
	return &x
}
