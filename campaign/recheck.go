package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"klabel/disk"
	"klabel/engine"
	"klabel/engine/native"
	"klabel/fault"
	"klabel/ktest"
	"klabel/label"
)

// rechecker runs tests a second time, from outside: interpreted by the native
// engine, where the program has no way to what notes its hits. A hit that this run
// does not show does not count. nil checks nothing.
type rechecker struct {
	engine   *native.Engine
	programs []engine.Program // by image
	args     []string
	memory   int
	dir      string // of runs
	runs     atomic.Int64

	mu   sync.Mutex
	open map[label.ID]string // labels that only the native run hits, and why
}

// recheckTime bounds the second run of one test.
const recheckTime = 20 * time.Second

// openRecheck compiles the image for the interpreter, where the job wants that.
func (c *session) openRecheck(ctx context.Context) (*rechecker, error) {
	if !c.job.Recheck {
		return nil, nil
	}
	p, err := c.programOfRecheck(ctx, c.build, c.prog.image)
	if err != nil {
		return nil, err
	}
	r := &rechecker{engine: native.New(c.clang), programs: []engine.Program{p},
		args: c.job.ProgramArgs, memory: c.job.MaxMemoryMB,
		dir: c.layout.work("recheck"), open: map[label.ID]string{}}
	if err := os.RemoveAll(r.dir); err != nil {
		return nil, describe(err)
	}
	if err := os.MkdirAll(r.dir, 0o777); err != nil {
		return nil, describe(err)
	}
	c.closers = append(c.closers, func() {
		_ = r.engine.Close()
		_ = os.RemoveAll(r.dir) // the next run does it otherwise
	})
	return r, nil
}

// programOfRecheck compiles an image for the interpreter.
func (c *session) programOfRecheck(ctx context.Context, b builder, im *image) (engine.Program, error) {
	b.engine, b.form, b.again = c.clang, assembly, true
	p, err := b.engineProgram(ctx, c.prog, im, engine.Greybox, nil)
	if err != nil {
		return p, fmt.Errorf("compiling for the second run of tests: %w", err)
	}
	return p, nil
}

// add is told of a further image.
func (r *rechecker) add(p engine.Program) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.programs = append(r.programs, p)
}

// checkRecheck refuses what cannot be checked twice.
func (j *Job) checkRecheck() error {
	inC := slices.ContainsFunc(j.Existing, func(p string) bool { return filepath.Ext(p) == ".c" })
	if j.Recheck && (inC || j.ExistingRun != "") {
		return fault.Usagef("--recheck runs tests in klabel's interpreter: it cannot run C tests or --existing-run")
	}
	return nil
}

// confirm takes from a verdict the hits that the second run does not show.
func (r *rechecker) confirm(ctx context.Context, e entry, t *ktest.Test, v label.Verdict) (label.Verdict, error) {
	if r == nil || len(v.Hits) == 0 {
		return v, nil
	}
	stem := filepath.Join(r.dir, fmt.Sprintf("%d", r.runs.Add(1)))
	file := stem + ".ktest"
	if err := disk.Write(file, e.named(t).Bytes()); err != nil {
		return v, describe(err)
	}
	defer os.Remove(file)
	defer os.RemoveAll(stem)
	r.mu.Lock()
	p := r.programs[e.image]
	r.mu.Unlock()
	p.Entry = e.symbol
	args := r.args
	if e.ownMain() && posixArgs(t.Args) && !slices.ContainsFunc(t.Objects, func(o ktest.Object) bool {
		return o.Name == "stdin_size"
	}) {
		args = t.Args[1:] // it may have an input of one length
	}
	seen, err := r.engine.Replay(ctx, p, engine.Options{OutputDir: stem, Budget: recheckTime, MaxMemoryMB: r.memory,
		ProgramArgs: args}, file)
	if ctx.Err() != nil {
		return v, ctx.Err()
	}
	switch {
	case err != nil:
		seen.Why = err.Error() // it confirms nothing
	case seen.Why == "":
		seen.Why = "it ends normally there and does not meet the label"
	}
	var hits []label.ID
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range v.Hits {
		if slices.Contains(seen.Hits, id) {
			hits = append(hits, id)
		} else {
			r.open[id] = seen.Why
		}
	}
	v.Hits = hits
	return v, nil
}

// notConfirmed says why a label has only hits that do not count.
func (r *rechecker) notConfirmed(id label.ID) (why string, yes bool) {
	if r == nil {
		return "", false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	why, yes = r.open[id]
	return "hit by a native run that klabel's interpreter does not confirm: " + why, yes
}
