package prune

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"klabel/csource"
)

// goal is a question to WP about labels of one function, in the order in which
// they are evaluated: it is asked where the last of them stands.
type goal struct {
	name   string // of the check that asks
	labels []*labelSite
	claim  string // in ACSL, over the labels' values
}

// The questions of LClean's three steps.
func never(l *labelSite) goal {
	return goal{fmt.Sprintf("n%d", l.ID), []*labelSite{l}, variable(l) + " == 0"}
}

func always(l *labelSite) goal {
	return goal{fmt.Sprintf("p%d", l.ID), []*labelSite{l}, variable(l) + " == 1"}
}

func (p *program) implies(q pair) goal {
	g := goal{fmt.Sprintf("s%d_%d", q.a.ID, q.b.ID), []*labelSite{q.a, q.b},
		fmt.Sprintf("%s != 0 ==> %s == 1", variable(q.a), variable(q.b))}
	if p.rank[q.a] > p.rank[q.b] {
		slices.Reverse(g.labels)
	}
	return g
}

// answer is what WP says to a goal.
type answer struct {
	goal
	proved  bool
	seconds float64
	cached  bool
}

// perProcess is how many goals one process proves: what a process that runs out
// of time has proved is lost, and each has the price of a start.
const perProcess = 4

// wpRun is what the goals of one method have in common.
type wpRun struct {
	*job
	m       Method
	model   string
	aliased string
	base    map[*function]string // the text of a function, for keys

	setup    sync.Once
	setupErr error
}

// askWP puts goals to WP, several processes at a time, and passes on what it
// answers, never two answers at once. still is asked before a process starts;
// left counts the goals that were wanted and not answered.
func (j *job) askWP(ctx context.Context, m Method, goals []goal, still func(goal) bool, answered func(answer)) (
	left int, err error) {
	model, err := j.p.modelText()
	if err != nil {
		return len(goals), err
	}
	w := &wpRun{job: j, m: m, model: framacHead + model, aliased: strings.Join(j.p.aliased(), ","),
		base: map[*function]string{}}
	by := map[*function][]goal{}
	for _, g := range goals {
		by[g.labels[0].fn] = append(by[g.labels[0].fn], g)
	}
	sem := make(chan struct{}, j.Workers)
	var wg sync.WaitGroup
	var mu sync.Mutex // of what follows, and of answered
	var errs []error
	for _, f := range j.p.order {
		if len(by[f]) == 0 || f.namesake != nil || j.unreads(f.unit) {
			continue
		}
		if why := j.p.wpStandsBack(f); why != "" {
			j.note("%s: %s is left out: %s", m, f.Name, why)
			continue
		}
		type keyed struct {
			goal
			key string
		}
		var open []keyed
		for _, g := range by[f] {
			var status string
			key := w.key(f, g)
			if !j.cached(key, &status) {
				open = append(open, keyed{g, key})
				continue
			}
			mu.Lock()
			answered(answer{goal: g, proved: status == "Valid", cached: true})
			mu.Unlock()
		}
		for part := range slices.Chunk(open, perProcess) {
			wg.Add(1)
			sem <- struct{}{}
			go func() {
				defer func() { <-sem; wg.Done() }()
				part := slices.DeleteFunc(slices.Clone(part), func(g keyed) bool { return !still(g.goal) })
				if len(part) == 0 || j.unreads(f.unit) {
					return
				}
				var ask []goal
				for _, g := range part {
					ask = append(ask, g.goal)
				}
				start := time.Now()
				v, err := w.prove(ctx, f, ask)
				mu.Lock()
				defer mu.Unlock()
				var unread errUnread
				if errors.As(err, &unread) {
					j.unreadable(f.unit, unread)
				}
				if err != nil {
					left += len(part)
					if ctx.Err() == nil {
						errs = append(errs, fmt.Errorf("%s: %w", f.Name, err))
					}
					return
				}
				each := time.Since(start).Seconds() / float64(len(part))
				for _, g := range part {
					if v[g.name] != "" {
						j.keep(g.key, v[g.name])
					}
					answered(answer{goal: g.goal, proved: v[g.name] == "Valid", seconds: each})
				}
			}()
		}
	}
	wg.Wait()
	return left, errors.Join(errs...)
}

// prove asks the goals of a function in one process.
func (w *wpRun) prove(ctx context.Context, f *function, goals []goal) (verdicts, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.setup.Do(func() { w.setupErr = w.why3(ctx) })
	if w.setupErr != nil {
		return nil, w.setupErr
	}
	name := fmt.Sprintf("%s-%s-%s", w.m, f.Name, goals[0].name)
	file := w.file(name + ".i")
	if err := os.WriteFile(file, []byte(w.text(f, goals)), 0o666); err != nil {
		return nil, err
	}
	args := []string{"-wp", "-wp-fct", f.Name, "-wp-prop", "@check", "-wp-prover", w.provers(goals), "-wp-timeout",
		fmt.Sprint(max(1, int(w.Goal.Seconds()+0.5))),
		"-wp-par", "1", "-wp-cache", "none", "-wp-model", "Typed", "-wp-session", w.file(name + ".wp")}
	if w.aliased != "" {
		args = append(args, "-wp-alias-vars", w.aliased)
	}
	v, _, _, err := w.framac(ctx, name, []string{file}, time.Duration(len(goals)+5)*3*w.Goal, args...)
	return v, err
}

// key names the answer to a goal: the function without its labels, what Eva
// knows where it starts, and of the labels only those of the goal.
func (w *wpRun) key(f *function, g goal) string {
	base, ok := w.base[f]
	if !ok {
		base = w.model + w.rewritten(f, func(l *labelSite) string { return fmt.Sprintf("klabel_place_%d;", l.ID) }, "")
		w.base[f] = base
	}
	parts := []string{"wp", w.Goal.String(), f.Name, w.aliased, base, g.claim}
	for _, l := range g.labels {
		parts = append(parts, l.ID.String(), l.Predicate, w.factAt(l))
	}
	return w.job.key(parts...)
}

func (w *wpRun) factAt(l *labelSite) string {
	if w.m != EvaWP {
		return ""
	}
	return w.facts.at[l]
}

// text is the function with the goals in it. Each label of a goal gets its value
// where it stands; once no goal asks for it any more, the value is taken away,
// so that none of an earlier round is mistaken for it.
func (w *wpRun) text(f *function, goals []goal) string {
	checks, over := map[*labelSite]string{}, map[*labelSite]*labelSite{}
	var used []*labelSite
	for _, g := range goals {
		last := g.labels[len(g.labels)-1]
		checks[last] += fmt.Sprintf("%s/*@ check klabel_%s: %s; */ ; %s", newline, g.name, g.claim, newline)
		for _, l := range g.labels {
			if over[l] == nil {
				used = append(used, l)
			}
			if over[l] == nil || w.p.rank[over[l]] < w.p.rank[last] {
				over[l] = last
			}
		}
	}
	var locals strings.Builder
	for _, l := range used {
		fmt.Fprintf(&locals, " int %s = 2;", variable(l))
	}
	return w.model + w.rewritten(f, func(l *labelSite) string {
		if over[l] == nil {
			return ""
		}
		var b strings.Builder
		if fact := w.factAt(l); fact != "" {
			fmt.Fprintf(&b, "%s/*@ admit klabel_fact: %s; */ ; ", newline, fact)
		}
		fmt.Fprintf(&b, "%s = !!(%s); %s", variable(l), l.Predicate, checks[l])
		for _, k := range used {
			if over[k] == l {
				fmt.Fprintf(&b, "%s = 2; ", variable(k))
			}
		}
		return b.String()
	}, locals.String())
}

// rewritten is the function's unit with its labels replaced, start put where
// the function begins, and other functions emptied.
func (w *wpRun) rewritten(f *function, instead func(*labelSite) string, start string) string {
	if w.m == EvaWP && w.facts.entry[f] != "" {
		start += fmt.Sprintf("%s/*@ admit klabel_fact: %s; */ ; %s", newline, w.facts.entry[f], newline)
	}
	return string(framacText(w.p.text(f.unit, func(l *labelSite) string {
		if l.fn != f {
			return ""
		}
		return instead(l)
	}, func(e *csource.Edits) {
		if start != "" {
			e.Insert(f.Body.Start+1, start)
		}
		w.p.shorten(f, e)
	})))
}
