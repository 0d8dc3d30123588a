package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"klabel/csource"
	"klabel/report"
	"klabel/toolchain"
)

// A program whose main reads input is explored from there. But a main that sleeps, that
// ends in an error with any input, or that asks for more than an engine finds within the
// budget, covers next to nothing, though functions that it calls may be easy. So where a
// part of the budget has come to so little, what is left of it is for a campaign with
// every function as a way in. The few tests of main are gone with it.

const (
	barrenAfter = 3  // one part of the budget
	barrenLeast = 12 // and so much of it the engine has in any case
	barrenLeft  = 4  // of which so much is needed for the functions
	barrenBelow = 5  // one part of the labels
)

// barren ends a run from main, and says why the program is run from its functions.
type barren struct{ why string }

func (b barren) Error() string { return b.why }

// runTurning is a run from main and, where that is barren, one from all functions with
// what is left of the budget.
func runTurning(ctx context.Context, j Job, tools *toolchain.Tools, obs Observer) (report.Summary, error) {
	begin := time.Now()
	j.mayTurn = true
	sum, err := run(ctx, j, tools, obs)
	var b barren
	if !errors.As(err, &b) {
		return sum, err
	}
	j.fromFunctions, j.Fresh = b.why, true
	j.Budget = max(j.Budget-time.Since(begin), time.Second)
	return run(ctx, j, tools, obs)
}

// turns reports whether the functions of a program that is run from its main can be
// entries instead: neither the user nor the source says what main is given, and no
// results of earlier runs are lost.
func (c *session) turns() bool {
	j, p := &c.job, c.prog
	asks := func(s []byte) bool {
		return slices.ContainsFunc(p.units, func(u *csource.Unit) bool { return bytes.Contains(u.Text, s) })
	}
	return j.mayTurn && j.WithoutMain != nil && len(j.Criteria) > 0 && !j.AllFunctions && j.Function == "" &&
		j.Mode.Own() && len(p.modules)+len(j.Existing)+len(c.memory.Entries) == 0 && j.ExistingRun == "" &&
		c.cluster == nil && !slices.ContainsFunc(symbolic, asks) && len(p.mains()) == 1 && !p.onlyMain()
}

// barren reports whether a run from main has come to next to nothing, and there is time
// for another one.
func (c *session) barren() bool {
	left := time.Until(c.began.Add(c.job.Budget))
	return c.mayTurn && barrenLeft*left > c.job.Budget && c.st.Covered()*barrenBelow < len(c.prog.labels) &&
		2*c.st.Remaining() > len(c.prog.labels)
}

// barrenByNow is barren of a run that goes on.
func (c *session) barrenByNow() bool { return time.Now().After(c.turnsAt()) && c.barren() }

// turnsAt is when the engine has had its part, whatever came before took.
func (c *session) turnsAt() time.Time {
	at, least := c.began.Add(c.job.Budget/barrenAfter), c.judge.began.Add(c.job.Budget/barrenLeast)
	if at.Before(least) {
		return least
	}
	return at
}

// turn is what ends such a run.
func (c *session) turn() error {
	return barren{fmt.Sprintf("main alone covers %d of %d labels in %v: every function is a way in, as with "+
		"--all-functions (--function main for it alone)", c.st.Covered(), len(c.prog.labels),
		time.Since(c.began).Round(100*time.Millisecond))}
}
