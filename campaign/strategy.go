package campaign

import (
	"context"
	"fmt"
	"strings"
	"time"

	"klabel/engine"
	"klabel/fault"
	"klabel/report"
	"klabel/toolchain"
)

// Step is one of the steps of a strategy: an engine and how long it works. What it
// leaves zero is as the job says.
type Step struct {
	Engine    string
	Mode      engine.Mode
	Budget    time.Duration
	Searchers []string
}

// String is what people see of a step.
func (s Step) String() string {
	out := s.Engine
	if s.Mode != "" {
		out += " in mode " + string(s.Mode)
	}
	return out
}

// checkStrategy refuses what makes no sense before the first step has run.
func (j *Job) checkStrategy(tools *toolchain.Tools) error {
	for i, s := range j.Strategy {
		err := error(nil)
		switch {
		case s.Engine == "":
			err = fault.Usagef("which engine? want engine = \"fuzz\", \"native\" or the like")
		case s.Budget <= 0:
			err = fault.Usagef("for how long? want budget = \"20s\" or the like")
		default:
			err = checkStep(s, tools)
		}
		if err != nil {
			return fmt.Errorf("step %d of the strategy: %w", i+1, err)
		}
	}
	return nil
}

// checkStep refuses a step whose engine is not there, or has no such mode.
func checkStep(s Step, tools *toolchain.Tools) error {
	name, _, err := splitEngines(s.Engine, engineTable())
	if err == nil {
		_, _, err = pickEngine(engineTable(), name, s.Mode, nil, tools)
	}
	return err
}

// runStrategy takes the steps one after the other in one output directory, each
// going on from what those before it have covered, until nothing is open. The time
// of the job is the sum of the steps'.
func runStrategy(ctx context.Context, j Job, tools *toolchain.Tools, obs Observer) (sum report.Summary, err error) {
	if err := j.checkStrategy(tools); err != nil {
		return sum, err
	}
	var names, notes []string
	generated, paths, inEngine, last := 0, uint64(0), 0.0, 0.0
	for i, s := range j.Strategy {
		k := j
		k.Strategy, k.Engine, k.Mode, k.Budget, k.FunctionBudget = nil, s.Engine, s.Mode, s.Budget, 0
		if len(s.Searchers) > 0 {
			k.Searchers = s.Searchers
		}
		if i > 0 { // done once, and kept
			k.Fresh, k.NoRandom, k.Existing, k.ExistingRun = false, true, nil, ""
		}
		obs.Note(fmt.Sprintf("step %d of %d: %s for %v", i+1, len(j.Strategy), s, s.Budget))
		step, err := run(ctx, k, tools, obs)
		if err != nil {
			return step, fmt.Errorf("step %d of the strategy (%s): %w", i+1, s, err)
		}
		sum = step
		names = append(names, step.Engine.Name)
		notes = append(notes, fmt.Sprintf("step %d, %s: %d of %d labels covered when it was over", i+1, s,
			step.Labels.Covered, step.Labels.Total))
		generated += step.Tests.Generated
		paths += step.Engine.Paths
		if step.Engine.LastLabelSeconds > 0 {
			last = inEngine + step.Engine.LastLabelSeconds
		}
		inEngine += step.Engine.Seconds
		if step.Interrupted || step.Labels.Open() == 0 {
			break
		}
	}
	sum.Engine.Name = strings.Join(names, ", then ")
	sum.Tests.Generated, sum.Engine.Paths, sum.Engine.Seconds = generated, paths, inEngine
	sum.Engine.LastLabelSeconds = last
	sum.Notes = append(notes, sum.Notes...)
	return sum, nil
}
