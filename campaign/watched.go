package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
)

// confirmed is a verdict of which only those hits are left that further runs show:
// one that klabel watches from outside and, where the job wants that, one in
// klabel's interpreter. Of a test that does not count, or tells nothing new, nothing
// is asked: it is not checked, and must not be kept.
func (k *judge) confirmed(ctx context.Context, e entry, t *ktest.Test, v label.Verdict) (_ label.Verdict, checked bool,
	err error) {
	if k.counted(v).Outcome != label.Normal || len(v.Hits) == 0 ||
		!k.tells(k.proper(e, v).Hits) {
		return v, false, nil
	}
	v, err = k.confirm(ctx, e, t, v)
	return v, err == nil, err
}

// confirm is confirmed for a test that is kept whatever it tells.
func (k *judge) confirm(ctx context.Context, e entry, t *ktest.Test, v label.Verdict) (label.Verdict, error) {
	if k.counted(v).Outcome != label.Normal || len(v.Hits) == 0 {
		return v, nil
	}
	v, err := k.watched(ctx, e, t, v)
	if err != nil {
		return v, err
	}
	return k.recheck.confirm(ctx, e, t, v)
}

// tells reports whether a test with these hits tells something new: it meets an open
// label, or more labels than any other and so makes the suite smaller. A mode that
// explores every path has thousands of other tests, and each costs a further run and
// a place in the store.
func (k *judge) tells(hits []label.ID) bool {
	k.mu.Lock()
	known, more := k.patterns[fmt.Sprint(hits)], len(hits) > k.most
	k.mu.Unlock()
	return !known && (k.all || more || k.meetsOpen(hits))
}

// fixedInput is a test that may be kept as KLEE's tools take it, if that meets the
// same labels.
func (k *judge) fixedInput(ctx context.Context, e entry, t *ktest.Test, v label.Verdict) *ktest.Test {
	f := t.FixedInput()
	if f == t || k.counted(v).Outcome != label.Normal || !k.tells(v.Hits) {
		return t
	}
	w, _, err := k.run(ctx, e, f)
	if err != nil || w.Outcome != v.Outcome || !slices.Equal(w.Hits, v.Hits) {
		return t
	}
	return f
}

// watched takes from a verdict the hits that breakpoints do not show.
func (k *judge) watched(ctx context.Context, e entry, t *ktest.Test, v label.Verdict) (label.Verdict, error) {
	if why := k.poolOf(e).Watchable(); why != nil {
		if ctx.Err() != nil {
			return v, ctx.Err()
		}
		k.obs.Note(fmt.Sprintf("hits are taken as the program notes them, it cannot be watched from outside: %v", why))
		return v, nil
	}
	seen, err := k.poolOf(e).Confirm(ctx, e.number, t, v.Hits, k.lenient, 4*v.Duration)
	if errors.Is(err, replayer.ErrLate) { // it shows nothing, and is not accused of anything
		v.Hits = nil
		return v, nil
	}
	if err != nil {
		return v, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range v.Hits {
		if !slices.Contains(seen, id) {
			k.claimed[id] = true
		}
	}
	v.Hits = seen
	return v, nil
}
