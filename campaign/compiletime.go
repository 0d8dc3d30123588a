package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"klabel/engine"
	"klabel/fault"
	"klabel/report"
	"klabel/toolchain"
)

// leastCompiling is what a compiler of the engine's program may use of a processor,
// however short the budget is. What reads and replays has leastStart: without it there
// is nothing at all.
const leastCompiling = 3 * time.Second

// compiling bounds what a compiler may use of a processor by what is left of the budget,
// and a little more. That it is the processor's time makes no difference on a machine
// that has nothing else to do, and ends nothing early on one that has.
func (c *session) compiling(ctx context.Context, least time.Duration) context.Context {
	if c.job.FunctionBudget > 0 || c.job.Budget <= 0 {
		return ctx
	}
	return toolchain.WithProcessorTime(ctx, max(least, c.job.Budget+leastCompiling-(processorTime()-c.used)))
}

// leastStarting is what reading and compiling may take by the clock where others keep the
// machine busy, however short the budget is.
const leastStarting = time.Minute

// errLate is why a context of starting has ended.
var errLate = errors.New("reading and compiling took all of it")

// starting bounds by the clock what comes before the engines: by the end of the budget or,
// where others have the processors and the budget is short, by leastStarting. What goes on
// alone, as klabel's own reading of a large source does, is bounded by nothing else.
func (c *session) starting(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.row.name == "" || c.job.FunctionBudget > 0 || c.job.Budget <= 0 {
		return ctx, func() {} // who only replays or proves has no engine
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for left := time.Until(c.began.Add(c.job.Budget)); ; {
			select {
			case <-ctx.Done():
				return
			case <-time.After(left):
			}
			if left = startingLeft(c.job.Budget, time.Since(c.began), processorTime()-c.used); left <= 0 {
				cancel(errLate)
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// startingLeft is how long the start of a run may go on, when the budget is over, until it
// is asked for again.
func startingLeft(budget, spent, used time.Duration) time.Duration {
	if spent >= max(budget, leastStarting) || used >= budget+leastStart {
		return 0
	}
	return min(max(budget, leastStarting)-spent, time.Second)
}

// late is an error of what was cut off at the end of a context of starting: that compilers
// were killed says less.
func late(ctx context.Context, err error) error {
	if err != nil && context.Cause(ctx) == errLate {
		return errLate
	}
	return err
}

// tooLong says of a compiler that used all of its time, or of what was cut off at the end of
// the budget, what to do.
func (c *session) tooLong(ctx context.Context, err error) error {
	err = late(ctx, err)
	if !errors.Is(err, toolchain.ErrProcessorTime) && !errors.Is(err, errLate) {
		return err
	}
	return fault.WithHint(fmt.Errorf("the budget of %v is too short: %w", c.job.Budget, err), "%s", c.longer())
}

func (c *session) longer() string {
	return fmt.Sprintf("--budget %v gives it more", max(4*c.job.Budget, time.Minute))
}

// withoutJudge ends a run of which nothing could be replayed in time. What earlier runs have
// found stays as it is.
func (c *session) withoutJudge(ctx context.Context) (report.Summary, error) {
	c.unfinished = true
	c.note(fmt.Sprintf("the budget of %v is too short: %v; %s", c.job.Budget, errLate, c.longer()))
	if err := c.takeCarried(); err != nil {
		return report.Summary{}, err
	}
	c.judge = newJudge(c.st, nil, c.layout, c.row.name, c.obs)
	c.recallWaiting()
	sum, err := c.conclude(ctx, engine.Stats{}, ctx.Err() != nil)
	if err == nil {
		err = c.remember(ctx, sum.Interrupted)
	}
	return sum, err
}

// withoutEngine ends a run whose engine's program could not be compiled in time: what
// sampling and provers have found counts.
func (c *session) withoutEngine(ctx context.Context, why error, proofs *pruner) error {
	c.unfinished = true
	c.note(fmt.Sprintf("no engine was started, the budget of %v is too short: %v; %s", c.job.Budget, why, c.longer()))
	c.hadTurns()
	err := c.replayWaiting(ctx, c.replaysEnd())
	if proofs != nil {
		if ended := proofs.end(); err == nil {
			err = ended
		}
	}
	return err
}

// logTimes says when a stage was over, and what it all took of the processors: of that the
// sizes of images are estimated.
func (c *session) logTimes(stage string) {
	log.Debugf("%s after %v, %v of processors", stage, time.Since(c.began), processorTime()-c.used)
}
