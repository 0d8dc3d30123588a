package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/drivers"
	"klabel/engine"
	"klabel/replayer"
)

// made is an image that is compiled and not yet the program's.
type made struct {
	image   *image
	build   builder
	program engine.Program
	pool    *replayer.Pool
	done    func() // closes the pool
	beside  *besideProgram
	sums    map[string]string // of its entries
}

// nextImage makes an image of the functions that have open labels, in all
// variants that are not explored to their ends, beside all else that goes on. It
// is nil where there is nothing to make, or it took longer than the context allows.
func (c *session) nextImage(ctx context.Context) *made {
	var open []target
	for _, t := range c.prog.asked {
		if c.prog.leftOut[t.name] == "" && c.works(t) {
			open = append(open, t)
		}
	}
	if len(open) == 0 {
		return nil
	}
	im, sums, err := c.makeNext(ctx, open)
	m := &made{image: im, build: c.build, sums: sums}
	if err == nil && len(im.entries) > 0 {
		m.build.image++
		m.beside = c.programBeside(im, m.build.image)
		var g errgroup.Group
		g.Go(func() (err error) {
			m.program, err = m.build.engineProgram(ctx, c.prog, im, c.job.Mode, nil)
			return err
		})
		m.pool, m.done, err = c.openPool(ctx, m.build, im)
		err = errors.Join(err, g.Wait())
	}
	switch {
	case err != nil:
		c.unfinished = true
		if m.done != nil {
			m.done()
		}
		if ctx.Err() == nil {
			c.note(fmt.Sprintf("further entries cannot be made: %v", err)) // what was found stays
		}
		return nil
	case len(im.entries) == 0:
		return nil
	}
	log.Debugf("another image with %d entries after %v", len(im.entries), time.Since(c.began))
	return m
}

// adopt lets engines explore the image, and the judge replay with it. Nothing may
// run meanwhile. Its ways have behind them what was done for them before.
func (c *session) adopt(ctx context.Context, m *made, before []*way) ([]*way, error) {
	if c.cluster != nil {
		c.cluster.judging.Lock()
		defer c.cluster.judging.Unlock()
	}
	done, likely := map[string]*way{}, map[string]*way{} // by name; by function
	for _, w := range before {
		e := c.prog.image.entries[w.entry]
		done[e.name] = w
		if w.slices > 0 {
			likely[e.target] = w // those of a group know the same
		}
	}
	c.judge.pool.Close()
	c.judge.pool, c.build = m.pool, m.build
	c.closers = append(c.closers, m.done)
	c.prog.adopt(m.image)
	maps.Copy(c.memory.sums, m.sums)
	if c.beside != nil {
		c.beside.program = m.beside
		c.closers = append(c.closers, m.beside.end)
	}
	again, err := c.openRecheck(ctx)
	if err != nil {
		return nil, err
	}
	again.inherit(c.judge.recheck)
	c.judge.recheck = again
	if err := c.st.TryAgain(); err != nil {
		return nil, err
	}
	cramped := c.cramped()
	ways := slices.DeleteFunc(c.ways(), func(w *way) bool { // it would find nothing in this run
		e := c.prog.image.entries[w.entry]
		return strings.HasSuffix(e.name, drivers.Room.String()) && !cramped[e.target]
	})
	for _, w := range ways {
		if o := likely[c.prog.image.entries[w.entry].target]; o != nil {
			w.likely, w.long = o.likely, o.long
		}
		if o := done[c.prog.image.entries[w.entry].name]; o != nil {
			w.slices, w.barren, w.ended, w.turns = o.slices, o.barren, o.ended, o.turns
		}
	}
	if !c.job.NoRandom {
		c.sample(ctx, slices.DeleteFunc(slices.Clone(ways), func(w *way) bool { return w.slices > 0 }))
	}
	return ways, c.judge.failed()
}

// makeNext makes the image with the sums of its entries, those left out that were
// explored to their ends or that earlier runs have done with.
func (c *session) makeNext(ctx context.Context, open []target) (*image, map[string]string, error) {
	rest := map[string]bool{}
	wanted := func(t target, v drivers.Variant) bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		name := t.name + v.String()
		return !rest[name] && !c.explored[name]
	}
	for {
		im, err := makeImage(ctx, c.clang, c.build.rt, &c.job, c.prog, open, wanted)
		if err != nil || len(c.memory.Entries) == 0 || len(rest) > 0 {
			return im, c.sumsOf(im, err), err
		}
		sums := c.prog.sumsOf(im, c.wishes(), &c.job)
		for _, e := range im.entries {
			if c.restsAs(e.name, sums[e.name]) {
				rest[e.name] = true
			}
		}
		switch len(rest) {
		case 0:
			return im, sums, nil
		case len(im.entries):
			im.entries = nil
			return im, sums, nil
		}
	}
}

// beyondMemory matches the ends of runs that go beyond what is behind a pointer.
var beyondMemory = regexp.MustCompile(`buffer-overflow|out of bound|SEGV|signal 11|segmentation`)

// cramped are the targets of which runs ended in memory that is too small.
func (c *session) cramped() map[string]bool {
	c.judge.mu.Lock()
	defer c.judge.mu.Unlock()
	out := map[string]bool{}
	for _, e := range c.prog.entries {
		if t := c.judge.tallies[e.name]; t != nil {
			for reason := range t.reasons {
				out[e.target] = out[e.target] || beyondMemory.MatchString(reason)
			}
		}
	}
	return out
}
