package campaign

import (
	"context"
	"fmt"
	"slices"

	"klabel/ktest"
	"klabel/label"
)

// confirmed is a verdict of which only those hits are left that further runs show:
// one that klabel watches from outside and, where the job wants that, one in
// klabel's interpreter. Of a test that does not count, or is not kept because
// another one meets the same labels, nothing is asked.
func (k *judge) confirmed(ctx context.Context, e entry, t *ktest.Test, v label.Verdict) (label.Verdict, error) {
	if k.counted(v).Outcome != label.Normal || len(v.Hits) == 0 || k.hasPattern(v.Hits) {
		return v, nil
	}
	v, err := k.watched(ctx, e, t, v)
	if err != nil {
		return v, err
	}
	return k.recheck.confirm(ctx, e, t, v)
}

// watched takes from a verdict the hits that breakpoints do not show.
func (k *judge) watched(ctx context.Context, e entry, t *ktest.Test, v label.Verdict) (label.Verdict, error) {
	if why := k.pool.Watchable(); why != nil {
		if ctx.Err() != nil {
			return v, ctx.Err()
		}
		k.obs.Note(fmt.Sprintf("hits are taken as the program notes them, it cannot be watched from outside: %v", why))
		return v, nil
	}
	seen, err := k.pool.Confirm(ctx, e.number, t, v.Hits, k.lenient, v.Duration)
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

// hasPattern reports whether a kept test meets the same labels.
func (k *judge) hasPattern(hits []label.ID) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.patterns[fmt.Sprint(hits)]
}
