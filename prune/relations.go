package prune

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"klabel/csource"
	"klabel/label"
)

// pair is a question of step 3: does a hit of a imply a hit of b?
type pair struct{ a, b *labelSite }

// redundant is steps 2 and 3: first what the optimiser says, which answers
// thousands of questions at once, then WP's answers to what is left.
func (j *job) redundant(ctx context.Context) error {
	j.trivialDuplicates()
	groups := j.pairs(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var errs []error
	if j.Clang != nil && slices.Contains(j.Methods, Compiler) {
		errs = append(errs, j.eachUnit(func(i int, u *csource.Unit) error {
			return j.compilePairs(ctx, fmt.Sprintf("compiler%d", i), u, groups)
		}))
	}
	if m, ok := j.pairsByWP(); ok {
		errs = append(errs, j.wpRedundant(ctx, m, groups))
	}
	return errors.Join(errs...)
}

// alwaysTrue notes that a label is true whenever it is reached.
func (j *job) alwaysTrue(id label.ID, m Method) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.always[id] == "" {
		j.always[id] = m
	}
}

func (j *job) isAlwaysTrue(id label.ID) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.always[id] != ""
}

// trivialDuplicates is step 2: of the labels of a group that are true whenever
// they are reached, the first stands for all.
func (j *job) trivialDuplicates() {
	for _, g := range j.p.groups {
		var first *labelSite
		for _, l := range g {
			j.mu.Lock()
			m := j.always[l.ID]
			ok := m != "" && j.done[l.ID] == label.Unknown
			j.mu.Unlock()
			switch {
			case !ok:
			case first == nil:
				first = l
			default:
				j.found(Finding{ID: l.ID, Status: label.Duplicate, Of: first.ID, Method: m, Step: 2,
					Text: fmt.Sprintf("reached together with label %d, and both are always true there", first.ID)})
			}
		}
	}
}

// pairs lists what step 3 asks of each group, small groups first, up to
// MaxPairs in all. It is short if the context ends.
func (j *job) pairs(ctx context.Context) (out [][]pair) {
	if j.MaxPairs < 0 {
		return nil
	}
	groups := slices.Clone(j.p.groups)
	sort.SliceStable(groups, func(a, b int) bool { return len(groups[a]) < len(groups[b]) })
	for _, g := range groups {
		if slices.ContainsFunc(g, func(l *labelSite) bool { return l.unit != g[0].unit || l.fn == nil }) {
			continue
		}
		open := slices.DeleteFunc(slices.Clone(g), func(l *labelSite) bool { return j.status(l) != label.Unknown })
		var ps []pair
		for i, a := range open {
			if j.res.Pairs >= j.MaxPairs {
				j.res.LeftOut += (len(open) - i) * (len(open) - 1) // tests may answer some of them
				break
			}
			if ctx.Err() != nil {
				return out
			}
			for _, b := range open {
				switch {
				case a == b || j.toldApart(a.ID, b.ID):
				case j.res.Pairs >= j.MaxPairs:
					j.res.LeftOut++
				default:
					j.res.Pairs++
					ps = append(ps, pair{a, b})
				}
			}
		}
		if len(ps) > 0 {
			out = append(out, ps)
		}
	}
	if j.res.LeftOut > 0 {
		j.note("%d pairs of labels were not compared (--max-pairs %d)", j.res.LeftOut, j.MaxPairs)
	}
	return out
}

// status is what was found of a label here.
func (j *job) status(l *labelSite) label.Status {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.done[l.ID]
}

// toldApart reports whether a test covers a and not b.
func (j *job) toldApart(a, b label.ID) bool {
	in, others := j.hitBy[a], j.hitBy[b]
	for i, tests := range in {
		if i >= len(others) && tests != 0 || i < len(others) && tests&^others[i] != 0 {
			return true
		}
	}
	return false
}

// testsByLabel is a bit for each test that hits a label.
func testsByLabel(hits [][]label.ID) map[label.ID][]uint64 {
	by := map[label.ID][]uint64{}
	for t, ids := range hits {
		for _, id := range ids {
			for len(by[id]) <= t/64 {
				by[id] = append(by[id], 0)
			}
			by[id][t/64] |= 1 << (t % 64)
		}
	}
	return by
}

// variable is where the value of a label's predicate is kept until its group
// ends: 2 while it is not evaluated.
func variable(l *labelSite) string { return fmt.Sprintf("klabel_v%d", l.ID) }

// compilePairs is step 3 with the optimiser as prover. In each group the
// last label's place asks for every pair; a question that the optimiser removes
// is answered with yes.
func (j *job) compilePairs(ctx context.Context, name string, u *csource.Unit, groups [][]pair) error {
	const perRun = 3000 // pairs in one compilation
	var batch [][]pair
	n, run := 0, 0
	flush := func() error {
		if n == 0 {
			return nil
		}
		err := j.compileBatch(ctx, fmt.Sprintf("%s.pairs%d", name, run), u, batch)
		batch, n = nil, 0
		run++
		return err
	}
	for _, ps := range groups {
		if ps[0].a.unit != u {
			continue
		}
		batch = append(batch, ps)
		if n += len(ps); n >= perRun {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func (j *job) compileBatch(ctx context.Context, name string, u *csource.Unit, batch [][]pair) error {
	start := time.Now()
	code := map[*labelSite]string{}
	var head strings.Builder
	for _, ps := range batch {
		j.groupCode(ps, code, &head, func(p pair) string {
			return fmt.Sprintf("if (%s != 0 && %s != 1) klabel_probe_s%d_%d(); ", variable(p.a), variable(p.b), p.a.ID,
				p.b.ID)
		})
		for _, p := range ps {
			fmt.Fprintf(&head, "void klabel_probe_s%d_%d(void); ", p.a.ID, p.b.ID)
		}
	}
	// A label that cannot be hit implies everything: that is no subsumption.
	for _, l := range j.p.labels {
		if _, ok := code[l]; ok {
			fmt.Fprintf(&head, "void klabel_probe_n%d(void); ", l.ID)
		}
	}
	seen, cached, err := j.probe(ctx, name, u, false, func(l *labelSite) string { return code[l] },
		func(b *strings.Builder) { b.WriteString(head.String()) })
	if err != nil {
		return err
	}
	total := 0
	for _, ps := range batch {
		total += len(ps)
	}
	each := time.Since(start).Seconds() / float64(total)
	for _, ps := range batch {
		var yes []pair
		for _, p := range ps {
			if seen[fmt.Sprintf("n%d", p.a.ID)] && !seen[fmt.Sprintf("s%d_%d", p.a.ID, p.b.ID)] {
				yes = append(yes, p)
			}
		}
		for _, p := range ps {
			if !seen[fmt.Sprintf("n%d", p.a.ID)] && j.open(p.a.ID) && j.compiled(p.a, seen) {
				j.found(Finding{ID: p.a.ID, Status: label.Infeasible, Method: Compiler, Step: 1, Seconds: each,
					Cached: cached,
					Text:   "the optimiser reduces the predicate to false wherever it is reached"})
			}
		}
		j.relate(yes, proof{Compiler, "says the optimiser", each, cached})
	}
	return nil
}

// groupCode gives each label of the pairs' group the code that keeps its value,
// and the last one the questions. head gets the variables: they are the
// program's own, and nobody else's.
func (j *job) groupCode(ps []pair, code map[*labelSite]string, head *strings.Builder, ask func(pair) string) {
	var in []*labelSite
	for _, p := range ps {
		for _, l := range []*labelSite{p.a, p.b} {
			if !slices.Contains(in, l) {
				in = append(in, l)
			}
		}
	}
	sort.Slice(in, func(a, b int) bool { return j.p.rank[in[a]] < j.p.rank[in[b]] })
	for _, l := range in {
		fmt.Fprintf(head, "static unsigned char %s = 2; ", variable(l))
		code[l] = fmt.Sprintf("%s = !!(%s); if (%s) klabel_probe_n%d(); ", variable(l), l.Predicate, variable(l), l.ID)
	}
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(ask(p))
	}
	for _, l := range in {
		fmt.Fprintf(&b, "%s = 2; ", variable(l))
	}
	code[in[len(in)-1]] += b.String()
}

// proof says who proved relations, in words too.
type proof struct {
	method  Method
	words   string
	seconds float64 // of each
	cached  bool
}

// relate turns proved implications of one group into statuses: labels that
// imply each other are duplicates of the first of them; the rest are subsumed
// by one that nothing else implies, if there is one.
func (j *job) relate(yes []pair, by proof) {
	implies := map[*labelSite]map[*labelSite]bool{}
	var all []*labelSite
	add := func(l *labelSite) {
		if implies[l] == nil {
			implies[l] = map[*labelSite]bool{}
			all = append(all, l)
		}
	}
	for _, p := range yes {
		add(p.a)
		add(p.b)
		implies[p.a][p.b] = true
	}
	sort.Slice(all, func(a, b int) bool { return all[a].ID < all[b].ID })
	for _, k := range all { // implication is transitive
		for _, a := range all {
			if implies[a][k] {
				for b := range implies[k] {
					implies[a][b] = true
				}
			}
		}
	}
	status := j.status
	first := map[*labelSite]*labelSite{}
	for _, l := range all {
		for _, k := range all {
			if k == l || implies[k][l] && implies[l][k] && status(k) == label.Unknown {
				first[l] = k
				break
			}
		}
	}
	for _, l := range all {
		if status(l) != label.Unknown {
			continue
		}
		if f := first[l]; f != l {
			j.found(Finding{ID: l.ID, Status: label.Duplicate, Of: f.ID, Method: by.method, Step: 3,
				Seconds: by.seconds, Cached: by.cached,
				Text: fmt.Sprintf("evaluated together with label %d, and true exactly when that is, %s", f.ID,
					by.words)})
		}
	}
	for _, l := range all {
		if first[l] != l || status(l) != label.Unknown {
			continue
		}
		var over *labelSite
		for _, k := range all {
			if k != l && first[k] == k && implies[k][l] && !implies[l][k] && status(k) == label.Unknown &&
				(over == nil || implies[k][over]) {
				over = k
			}
		}
		if over != nil {
			j.found(Finding{ID: l.ID, Status: label.Subsumed, Of: over.ID, Method: by.method, Step: 3,
				Seconds: by.seconds, Cached: by.cached,
				Text: fmt.Sprintf("evaluated together with label %d, and true whenever that is, %s", over.ID,
					by.words)})
		}
	}
}
