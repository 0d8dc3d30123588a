package campaign

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// afterBudget is how long C tests are compiled and run to see what they shall check
// when the budget has ended.
const afterBudget = 4 * time.Second

// leastObserving is for that where all took longer than it should.
const leastObserving = time.Second

// fewFiles are recorded one like the other. Of more, all are recorded quickly rather than some of them well.
const fewFiles = 8

// quickCTests is how long the C tests of all files take at least, by what compiling for replays took: each file is
// compiled for them once more, some twice, and starting processes that are confined takes as long again.
func (c *session) quickCTests() time.Duration { return 3 * c.poolTook }

// recordWell is until when C tests are recorded in the better way, which takes twice as long. Of many files that is
// what the quick way for all of them leaves.
func (c *session) recordWell(files int, left time.Duration) time.Time {
	if files <= fewFiles {
		return c.pruneUntil().Add(recordSlack)
	}
	return time.Now().Add(2 * (left - c.quickCTests()))
}

// observedEvery is how often it is looked whether that has had its time.
const observedEvery = 200 * time.Millisecond

// longestObserving bounds it where others keep the machine busy. A campaign that is no shorter ends
// by the clock, whatever others do.
const longestObserving = time.Minute

// observingTime is the time for that: until the budget's end and afterBudget, as a
// machine counts that has nothing else to do. Where others keep it busy, a short run that
// stopped by the clock would leave tests that check nothing: it has most, unless it has
// used a processor for as long as the first.
func (c *session) observingTime() (left, most time.Duration) {
	if c.job.FunctionBudget > 0 {
		all := max(longestObserving, c.job.Budget) // each function has its own time, and this has none
		return all, all
	}
	left = max(c.job.Budget+afterBudget-time.Since(c.began), leastObserving)
	if c.job.Budget >= longestObserving {
		return left, left
	}
	return left, max(left, min(time.Duration(max(c.busy, machineLoad())*float64(left)), longestObserving))
}

// observing ends with that time.
func (c *session) observing(ctx context.Context) (context.Context, context.CancelFunc) {
	left, most := c.observingTime()
	used := processorTime()
	ctx, stop := context.WithTimeout(ctx, most)
	go func() {
		for wait := left; ; wait = observedEvery {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			if processorTime()-used >= left {
				stop()
			}
		}
	}()
	return ctx, stop
}

// machineLoad is how many processes want each processor.
func machineLoad() float64 {
	var last float64
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(text), &last) // else nothing is known
	}
	return last / float64(runtime.NumCPU())
}

// busyness is how many times as long as on a machine without other work a stage took that had two
// compilers side by side for most of it, by what they used of the processors.
func busyness(took, used time.Duration) float64 {
	const alone = 1.2 // processors that they use then: linking waits for compiling
	if used <= 0 {
		return 1
	}
	return min(max(alone*float64(took)/float64(used), 1), mostBusy)
}

// mostBusy bounds what is believed of a machine.
const mostBusy = 30

// usedByTools is the processor time of all processes that were started and have ended.
func usedByTools() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
