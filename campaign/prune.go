package campaign

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"klabel/csource"
	"klabel/disk"
	"klabel/fault"
	"klabel/prune"
	"klabel/toolchain"
)

// PruneJob is a Job of which labels are proved and nothing is executed.
type PruneJob struct {
	Job
	Open     bool // other code than the C library is linked to it
	Limit    time.Duration
	Goal     time.Duration // of a prover, for one goal
	MemoryMB int           // of a prover
	Provers  int           // at a time
	CacheDir string        // empty: the user's cache directory
	NoCache  bool
}

// PruneResult is what was proved, with the labels that it is about.
type PruneResult struct {
	*prune.Result
	Calls []csource.LabelCall
}

// Prune proves labels of a program infeasible, duplicate or subsumed. No status
// is stored.
func Prune(ctx context.Context, j PruneJob, tools *toolchain.Tools, obs Observer) (PruneResult, error) {
	var none PruneResult
	j.OutputDir = "" // that of the project is of its runs
	c, err := newPassing(j.Job, tools, obs)
	if err != nil {
		return none, err
	}
	defer c.close()
	if err := c.read(ctx); err != nil && !errors.Is(err, ErrNoMain) {
		return none, err
	}
	calls, err := csource.AllLabels(c.prog.units...)
	if err != nil {
		return none, err
	}
	o := c.pruneOptions()
	o.Open = o.Open || j.Open
	o.Goal, o.MemoryMB, o.Workers, o.Budget = j.Goal, j.MemoryMB, j.Provers, j.Limit
	switch {
	case j.NoCache:
		o.CacheDir = ""
	case j.CacheDir != "":
		o.CacheDir = j.CacheDir
	}
	res, err := prune.Run(ctx, o)
	return PruneResult{res, calls}, err
}

// pruneOptions are those of every pruning of a session's program. All units are
// taken for compiled with one set of flags: what differs in them (a machine, a
// size of char) makes the provers stand back.
func (c *session) pruneOptions() prune.Options {
	im := c.prog.image
	o := prune.Options{
		// What the program calls and nobody defines may call any function of it.
		Units: c.prog.units, Open: im.open() || len(c.prog.modules) > 0 || len(im.missing) > 0,
		Methods: c.job.PruneMethods,
		Clang:   c.clang, FramaC: c.tools.FramaC, Explore: Explorer(c.clang),
		CSource: csource.Options{Clang: c.clang, LabelMacros: c.job.LabelMacros,
			IncludeDirs: []string{c.build.rt.Include}},
		WorkDir: c.layout.work("prune"), MaxPairs: c.job.MaxPairs,
	}
	if dir, err := disk.Cache("prune"); err == nil {
		o.CacheDir = dir
	}
	return o
}

// noLabels says what a program without labels lacks, in spite of criteria.
func noLabels(path string, criteria []string) error {
	if isBitcode(path) {
		return fault.WithHint(fmt.Errorf("%s: %w in it", path, ErrNoLabels),
			"label the sources with klabel annotate --in-place-copy, and build the copy with "+
				"-include klabel-bitcode.h ('klabel help bitcode')")
	}
	if len(criteria) > 0 {
		return fault.WithHint(fmt.Errorf("%s: %w in it: nothing that %s asks for", path, ErrNoLabels,
			strings.Join(criteria, ", ")), "--criteria FC asks for every function; `klabel criteria` lists all")
	}
	return fault.WithHint(fmt.Errorf("%s: %w in it", path, ErrNoLabels),
		"write cov_label(EXPR, ID, \"TAG\"), or let --criteria CC,MCC,WM write them")
}
