package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"klabel/fault"
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

// tooLong says of a compiler that used all of its time what to do.
func (c *session) tooLong(err error) error {
	if !errors.Is(err, toolchain.ErrProcessorTime) {
		return err
	}
	return fault.WithHint(fmt.Errorf("the budget of %v is too short: %w", c.job.Budget, err), "%s", c.longer())
}

func (c *session) longer() string {
	return fmt.Sprintf("--budget %v gives it more", max(4*c.job.Budget, time.Minute))
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
