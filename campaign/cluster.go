package campaign

import (
	"context"
	"os"
	"runtime"
	"sync"

	"klabel/cluster"
	"klabel/engine"
	"klabel/replayer"
	"klabel/toolchain"
)

// clustered is a campaign that hands its slices to workers on other machines. It
// stays what it is: plan, replays and store are here.
type clustered struct {
	coordinator *cluster.Coordinator
	mu          sync.Mutex
	wake        func() // there are more workers, or fewer
}

// openCluster opens the campaign for workers, if the job wants that, while the program is
// being compiled: those that wait have joined when the first slice comes. Once joined
// is called the engines are those of the workers.
func (c *session) openCluster(ctx context.Context) (joined func() error) {
	if c.job.Cluster == nil {
		return func() error { return nil }
	}
	o := *c.job.Cluster
	o.Dir, o.Version, o.Program, o.Note = c.layout.dir, c.job.Version, c.job.program(), c.obs.Note
	cl := &clustered{wake: func() {}}
	first, major, besides := c.engine, c.build.engine.Major, c.beside
	labels := len(c.prog.labels)
	var err error
	opened := make(chan struct{})
	var eng, extra engine.Engine
	go func() {
		defer close(opened)
		coordinator, oerr := cluster.Open(ctx, o)
		if oerr != nil {
			err = describe(oerr)
			return
		}
		cl.coordinator = coordinator
		if eng, err = coordinator.Engine(ctx, first, major); err != nil {
			return
		}
		if besides != nil {
			if extra, err = coordinator.Engine(ctx, besides.engine, besides.build.engine.Major); err != nil {
				return
			}
		}
		err = coordinator.Begin(c.st.ViewPath(), func() (int, int) { return c.st.Covered(), labels }, cl.changed)
	}()
	c.closers = append(c.closers, func() {
		<-opened
		if cl.coordinator != nil {
			cl.coordinator.Close()
		}
	})
	return func() error {
		<-opened
		if err != nil {
			return err
		}
		c.cluster, c.engine = cl, eng
		if besides != nil {
			besides.engine = extra
		}
		return nil
	}
}

// changed is called when there are more workers, or fewer.
func (cl *clustered) changed() {
	cl.mu.Lock()
	wake := cl.wake
	cl.mu.Unlock()
	wake()
}

// takeStrays judges tests that belong to no slice any more, until done is called:
// those of slices whose workers were slow, and of a coordinator that was killed.
func (c *session) takeStrays(ctx context.Context) (done func()) {
	if c.cluster == nil {
		return func() {}
	}
	over, ended := make(chan struct{}), make(chan struct{})
	strays := c.cluster.coordinator.Strays()
	go func() {
		defer close(ended)
		for {
			select {
			case s := <-strays:
				c.judgeStray(ctx, s)
			case <-over:
				for len(strays) > 0 {
					c.judgeStray(ctx, <-strays)
				}
				return
			}
		}
	}()
	return func() {
		close(over)
		<-ended
	}
}

func (c *session) judgeStray(ctx context.Context, s cluster.Stray) {
	if e, ok := c.prog.named(s.Name); ok && ctx.Err() == nil {
		f := replayer.ReadTest("a worker's test", s.Test, s.Suffix, s.Error)
		c.judge.take(ctx, origin{e, s.Mode, s.Engine}, f)
	}
	if ctx.Err() == nil && c.judge.failed() == nil {
		s.Judged()
	}
}

// slots is how many slices are worked on at a time.
func (f *follower) slots() int {
	if r, ok := f.engine.(engine.Remote); ok {
		return r.Slots()
	}
	return f.cores
}

// onWake calls when there are other workers than before.
func (c *session) onWake(wake func()) {
	if c.cluster != nil {
		c.cluster.mu.Lock()
		c.cluster.wake = wake
		c.cluster.mu.Unlock()
	}
}

// Abilities are the engines that this machine has for campaigns of others, each with
// what tells it from those that cannot do the same work.
func Abilities(tools *toolchain.Tools) (out []cluster.Able) {
	for _, row := range engineTable() {
		if row.ready(tools) != nil {
			continue
		}
		clang, err := row.clang(tools)
		if err != nil {
			continue
		}
		e := row.open(tools, clang)
		out = append(out, cluster.Able{Key: cluster.Key(e.Name(), e.Version(), clang.Major), Engine: e})
	}
	return out
}

// Work does slices of campaigns on other machines until the context ends.
func Work(ctx context.Context, o cluster.WorkerOptions, tools *toolchain.Tools) error {
	o.Engines = Abilities(tools)
	defer func() {
		for _, e := range o.Engines {
			_ = e.Engine.Close()
		}
	}()
	if o.Slots <= 0 {
		o.Slots = runtime.NumCPU()
	}
	for _, dir := range []string{o.Cache, o.Work} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return describe(err)
		}
	}
	return cluster.Work(ctx, o)
}
