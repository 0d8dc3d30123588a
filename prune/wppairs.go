package prune

import (
	"context"
	"errors"
	"slices"
	"sort"
	"time"

	"klabel/label"
)

// pairsByWP says which form of WP steps 2 and 3 may ask, if any.
func (j *job) pairsByWP() (Method, bool) {
	if run, _ := j.method(WP); run == nil || j.MaxPairs < 0 {
		return "", false
	}
	switch {
	case slices.Contains(j.Methods, EvaWP) && j.facts != nil:
		return EvaWP, true
	case slices.Contains(j.Methods, WP):
		return WP, true
	}
	return "", false
}

// wpRedundant asks WP what of steps 2 and 3 nobody has answered yet, for at
// most half of the time that is left: each goal has a price.
func (j *job) wpRedundant(ctx context.Context, m Method, groups [][]pair) error {
	ctx, cancel := context.WithTimeout(ctx, time.Until(deadline(ctx))*pairShare/100)
	defer cancel()
	err := j.wpAlways(ctx, m)
	j.trivialDuplicates()
	return errors.Join(err, j.wpPairs(ctx, m, groups))
}

// skipped reports whether the caller wants a label to be left alone, by now.
func (j *job) skipped(id label.ID) bool { return j.Skip != nil && j.Skip(id) }

// wpAlways asks of the labels of groups whether they are true whenever they are
// reached: step 2. It leaves out what a test has seen false, and groups in which
// one label at most can be the answer.
func (j *job) wpAlways(ctx context.Context, m Method) error {
	var goals []goal
	for _, g := range j.p.groups {
		var ask []goal
		may := 0
		for _, l := range g {
			j.mu.Lock()
			known := j.always[l.ID] != ""
			j.mu.Unlock()
			switch {
			case known:
				may++
			case l.fn != nil && j.status(l) == label.Unknown && !j.skipped(l.ID) &&
				!slices.ContainsFunc(g, func(k *labelSite) bool { return j.toldApart(k.ID, l.ID) }):
				may++
				ask = append(ask, always(l))
			}
		}
		if may > 1 {
			goals = append(goals, ask...)
		}
	}
	left, err := j.askWP(ctx, m, goals, func(g goal) bool { return !j.skipped(g.labels[0].ID) }, func(a answer) {
		if a.proved {
			j.alwaysTrue(a.labels[0].ID, m)
		}
	})
	if left > 0 && err == nil {
		j.note("%s was not asked of %d labels whether they are true whenever they are reached: the time for that is "+
			"used up", m, left)
	}
	return err
}

// wpPairs is step 3 with WP as prover, for the pairs within a function that the
// optimiser did not prove, neighbours first. A pair counts as long as both labels
// stand for themselves and the second is still to be covered.
func (j *job) wpPairs(ctx context.Context, m Method, groups [][]pair) error {
	still := func(a, b *labelSite) bool {
		return j.status(a) == label.Unknown && j.status(b) == label.Unknown && !j.skipped(b.ID)
	}
	group := map[string]int{}
	at := map[string]pair{}
	dist := map[string]int{}
	var goals []goal
	for i, ps := range groups {
		for _, q := range ps {
			if q.a.fn == q.b.fn && still(q.a, q.b) {
				g := j.p.implies(q)
				group[g.name], at[g.name] = i, q
				dist[g.name] = j.p.rank[g.labels[1]] - j.p.rank[g.labels[0]]
				goals = append(goals, g)
			}
		}
	}
	sort.SliceStable(goals, func(a, b int) bool { return dist[goals[a].name] < dist[goals[b].name] })
	yes := make([][]pair, len(groups))
	spent, cached := make([]float64, len(groups)), make([]bool, len(groups))
	left, err := j.askWP(ctx, m, goals, func(g goal) bool { return still(at[g.name].a, at[g.name].b) }, func(a answer) {
		i := group[a.name]
		spent[i] += a.seconds
		if a.proved {
			yes[i] = append(yes[i], at[a.name])
			cached[i] = a.cached
		}
	})
	for i, qs := range yes {
		if len(qs) > 0 {
			j.relate(qs, proof{m, "proved by weakest precondition" + knowing(m), spent[i] / float64(len(qs)),
				cached[i]})
		}
	}
	if left > 0 && err == nil {
		j.note("%s was not asked of %d pairs of labels: the time for that is used up", m, left)
	}
	return err
}
