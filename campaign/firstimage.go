package campaign

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"klabel/csource"
	"klabel/drivers"
	"klabel/label"
	"klabel/linkage"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// Of many functions the first image has those whose entries compile within a part of
// what reading left of the budget; the others come in portions, before anything else.
const (
	firstPart  = 0.3
	firstMost  = 0.5 // where the program itself takes most of it
	leastMore  = 0.3 // of what the program takes: so much its entries may take in any case
	leastFirst = 40  // functions

	// What a usual machine needs for the program's part of an image, for engine and replays,
	// and for a function's entries.
	perByte     = 1250 * time.Nanosecond
	perLabel    = 1500 * time.Microsecond
	perFunction = 8 * time.Millisecond
)

// start is what the first image depends on beside the program.
type start struct {
	stored map[string]bool // entries that there are tests of
	rested map[string]bool // entries that found nothing more in the last run
	began  time.Time       // of the campaign; zero: all functions have entries
	used   time.Duration   // of the processors, then
}

// processorTime is what klabel and the tools that have ended have used.
func processorTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return usedByTools() + time.Duration(u.Utime.Nano()+u.Stime.Nano())
}

// fitting are the targets of the first image: all, if they fit, or those that say most
// soon: the public ones, and of these the ones that reach most labels, those before
// others that came to an end in the last run. What there are tests of is there in any case.
func (s start) fitting(p *program, j *Job, targets []target) []target {
	if s.began.IsZero() || j.FunctionBudget > 0 || !j.AllFunctions || !j.Mode.Own() || j.Driver.Oracle != "" ||
		len(targets) <= leastFirst {
		return targets
	}
	bytes := 0
	for _, u := range p.units {
		bytes += len(u.Text)
	}
	base := time.Duration(len(p.labels))*perLabel + time.Duration(bytes)*perByte
	took := time.Since(s.began)
	n := fits(base, j.Budget-took, took, processorTime()-s.used)
	log.Debugf("%d bytes with %d labels read in %v, %v of processors: the first image has %d of %d functions", bytes,
		len(p.labels), took, processorTime()-s.used, min(n, len(targets)), len(targets))
	if n >= len(targets) {
		return targets
	}
	return p.mostTelling(targets, n, s)
}

// makeFirst makes the first image. Should none of the functions that were chosen have an
// entry, it has all.
func makeFirst(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job, p *program, targets []target,
	s start) (*image, error) {
	some := s.fitting(p, j, targets)
	wanted := firstVariants(j.Mode, s.stored, p.units)
	im, err := makeImage(ctx, clang, rt, j, p, some, wanted)
	if err == nil && len(im.entries) == 0 && len(some) < len(targets) {
		im, err = makeImage(ctx, clang, rt, j, p, targets, wanted)
	}
	return im, err
}

// fits is how many functions' entries compile in time, of a program that takes so much
// of a processor without any, by what reading it took of time and processors.
func fits(base, left, took, used time.Duration) int {
	wait := 1.0 // seconds for one of a processor
	if used > 0 {
		wait = min(max(took.Seconds()/used.Seconds(), 0.6), mostBusy)
	}
	alone, whole := wait*base.Seconds(), left.Seconds()
	may := max(firstPart*whole, min(2*alone, firstMost*whole), (1+leastMore)*alone)
	return max(int((may-alone)/(wait*perFunction.Seconds())), leastFirst)
}

// mostTelling chooses n of the targets, and those that there are tests of, in the
// order in which they stand.
func (p *program) mostTelling(targets []target, n int, s start) []target {
	type rated struct{ at, class, labels int }
	var all []rated
	for i, t := range targets {
		r := rated{at: i, class: 1, labels: len(p.near(t.place()).all())}
		if t.row.Static {
			r.class = 2
		}
		if s.rested[t.name] {
			r.class += 2
		}
		for _, v := range drivers.Variants {
			if s.stored[t.name+v.String()] {
				r.class = 0
			}
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Or(a.class-b.class, b.labels-a.labels) })
	chosen := make([]bool, len(targets))
	for i, r := range all {
		chosen[r.at] = i < n || r.class == 0
	}
	var out []target
	for i, t := range targets {
		if chosen[i] {
			out = append(out, t)
		}
	}
	return out
}

// isFirst says which entries a function gets before others get further ones.
func isFirst(units []*csource.Unit, t target, v drivers.Variant) bool {
	return firstVariants("", nil, units)(t, v)
}

// without are the functions that have no entry as yet, though they can have one, and
// that do not rest.
func (p *program) without() (out []target) {
	p.mu.Lock()
	defer p.mu.Unlock()
	has := map[string]bool{}
	for _, e := range p.entries {
		has[e.target] = true
	}
	for _, t := range p.asked {
		if !has[t.name] && !p.resting[t.name] && p.leftOut[t.name] == "" {
			out = append(out, t)
		}
	}
	return out
}

// rest takes over what an earlier run knows of an entry that need not be made again.
func (c *session) rest(e entry) error {
	r := c.memory.Entries[e.name]
	c.prog.mu.Lock()
	if c.prog.resting == nil {
		c.prog.resting = map[string]bool{}
	}
	c.prog.resting[e.target] = true
	c.prog.mu.Unlock()
	if r.Complete {
		c.mu.Lock()
		c.explored[e.name] = true
		c.mu.Unlock()
	}
	for _, id := range c.memory.renumbered(r.Infeasible) {
		why, ok := c.memory.proofs[id]
		if st, _ := c.st.Status(id); !ok || st.Status.Resolved() || !c.proves(e, id) {
			continue
		}
		if _, err := c.st.Mark(id, label.Infeasible, why); err != nil {
			return err
		}
	}
	return nil
}

// turnless says of functions that nothing has worked on why, by their places.
func (c *session) turnless() map[linkage.Place]string {
	out := map[linkage.Place]string{}
	if !c.job.AllFunctions || !c.job.Mode.Own() || !c.open() {
		return out
	}
	for _, t := range c.prog.without() {
		out[t.place()] = "the run ended before " + t.function + " had an entry"
	}
	worked := map[string]bool{}
	c.mu.Lock()
	for _, e := range c.prog.all() {
		worked[e.target] = worked[e.target] || e.ownMain() || c.tried[e.name] || c.explored[e.name] || c.rests(e.name)
	}
	c.mu.Unlock()
	for _, e := range c.prog.all() {
		if !worked[e.target] {
			out[e.place()] = "the run ended before the turn of " + e.function
		}
	}
	return out
}

// noteTurnless says how many functions had no turn that have open labels.
func (c *session) noteTurnless(late map[linkage.Place]string) {
	n := 0
	for at := range late {
		if slices.ContainsFunc(c.prog.byPlace[at], c.isOpen) {
			n++
		}
	}
	if n > 0 {
		c.note(fmt.Sprintf("functions that had no turn, for lack of time: %d of %d; the next run goes on with "+
			"them", n, len(c.prog.asked)))
	}
}
