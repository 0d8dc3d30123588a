package campaign

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"klabel/csource"
	"klabel/drivers"
)

// A program whose main reads input is explored from there. But a main that sleeps, that
// ends in an error with any input, or that leads to a part of what its functions can do
// within the budget, leaves labels open that calls of these functions cover. So where
// main finds nothing more, its functions join it: they are entries of the same campaign,
// in images of their own, for the labels that are open then. What main has covered, and
// what was proved of the program that begins there, stays as it is.

const (
	joinAfterPart = 3    // main alone has one part of the budget, as long as it goes on
	joinLeast     = 12   // its engine one of so many, whatever came before took
	joinLeft      = 4    // functions join where one of so many parts is left,
	joinEach      = 6    // where in one of so many parts
	joinPace      = 20   // less than one part of the open labels was covered
	barrenBelow   = 5    // or less than one part of all labels as yet
	joinMost      = 0.75 // of the time is for them, where main is to go on
)

// joining is what a program that is run from its main can go on with.
type joining struct {
	targets []target
	driver  string // how their entries are written, "" if nobody says
}

// mayJoin finds out whether the functions of a program that is run from its main can be
// entries, too: neither the user nor the source says what main is given.
func (p *program) mayJoin(j *Job) *joining {
	asks := func(s []byte) bool {
		return slices.ContainsFunc(p.units, func(u *csource.Unit) bool { return bytes.Contains(u.Text, s) })
	}
	if !j.mayJoin || j.WithoutMain == nil || len(j.Criteria) == 0 || j.AllFunctions || j.Function != "" ||
		!j.Mode.Own() || len(p.modules)+len(j.ProgramArgs) > 0 || j.FunctionBudget > 0 || j.Cluster != nil ||
		slices.ContainsFunc(symbolic, asks) || len(p.mains()) != 1 || p.onlyMain() {
		return nil
	}
	k := *j
	if k.everyFunction() != nil || k.Driver.Oracle != "" {
		return nil
	}
	targets, err := p.targets(&k)
	if err != nil { // none matches
		return nil
	}
	out := &joining{targets: targets}
	usual := drivers.Options{MaxArray: drivers.DefaultMaxArray, MaxString: drivers.DefaultMaxString,
		MaxDepth: drivers.DefaultMaxDepth, Floats: j.Driver.Floats, WholeArrays: j.Driver.WholeArrays}
	if wish := fmt.Sprintf("%+v", k.Driver); wish != fmt.Sprintf("%+v", usual) {
		out.driver = wish
	}
	return out
}

// everyFunction makes all functions entries of the job.
func (j *Job) everyFunction() error {
	was := j.Driver // what the engine wants, and what the linker says
	if err := j.WithoutMain(j); err != nil {
		return err
	}
	j.Driver.Floats, j.Driver.WholeArrays, j.Driver.Unlinked = was.Floats, was.WholeArrays, was.Unlinked
	return nil
}

// open reports whether the program is run from other functions than its main.
func (c *session) open() bool { return c.joined || c.prog.image.open() }

// barren reports whether a run from main has come to next to nothing as yet.
func (c *session) barren() bool {
	return c.joins() && c.st.Covered()*barrenBelow < len(c.prog.labels) && 2*c.st.Remaining() > len(c.prog.labels)
}

// joins reports whether functions can join, and there is time for it.
func (c *session) joins() bool {
	left := time.Until(c.began.Add(c.job.Budget))
	return c.prog.joining != nil && !c.dried && joinLeft*left > c.job.Budget && c.openBeyond() > 0
}

// openBeyond is which part of the open labels is not in main itself.
func (c *session) openBeyond() float64 {
	of, beyond := 0, 0
	for _, l := range c.prog.labels {
		if !c.isOpen(l.ID) {
			continue
		}
		of++
		if at, known := c.prog.where[l.ID]; known && at.Name != "main" {
			beyond++
		}
	}
	return float64(beyond) / float64(max(of, 1))
}

// pace is how many labels were open at a time.
type pace struct {
	at   time.Time
	open int
}

// slow reports whether too few of the open labels were covered since, in the last part
// of the time at least.
func (p *pace) slow(now time.Time, open int, each time.Duration) bool {
	switch {
	case p.at.IsZero():
		p.at, p.open = now, open
	case now.Sub(p.at) >= each:
		if (p.open-open)*joinPace < open {
			return true
		}
		p.at, p.open = now, open
	}
	return false
}

// dry reports whether main, which goes on, has had its time alone.
func (c *session) dry() bool {
	if c.prog.joining == nil || c.dried {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	slow := c.pace.slow(now, c.st.Remaining(), c.job.Budget/joinEach)
	c.slow = c.slow || !now.Before(c.joinsAt()) && c.joins() && (slow || c.barren())
	return c.slow
}

// joinsAt is when the engine has had its part, whatever came before took.
func (c *session) joinsAt() time.Time {
	at, least := c.began.Add(c.job.Budget/joinAfterPart), c.judge.began.Add(c.job.Budget/joinLeast)
	if at.Before(least) {
		return least
	}
	return at
}
