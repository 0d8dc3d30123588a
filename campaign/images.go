package campaign

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/drivers"
	"klabel/engine"
	"klabel/replayer"
)

// made is an image that is compiled and not yet the program's.
type made struct {
	image   *image
	program engine.Program
	recheck engine.Program
	pool    *replayer.Pool
	done    func() // closes the pool
	beside  *besideProgram
	sums    map[string]string // of its entries
	took    time.Duration
}

// imageOf is an image of the campaign, and what compiles it.
func (c *session) imageOf(number int) (*image, builder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if number == 0 {
		return c.prog.image, c.build
	}
	return c.further[number-1], c.builderOf(c.build, number)
}

// builderOf is a builder of a further image: its entries are no program's own main.
func (c *session) builderOf(b builder, number int) builder {
	if b.image = number; c.joined && number > 0 {
		b.args, b.given = nil, false
	}
	return b
}

// makeFurther makes an image of what is wanted of functions, beside all else that
// goes on. It is nil where there is nothing to make, or it took longer than the
// context allows.
func (c *session) makeFurther(ctx context.Context, of []target, wanted func(target, drivers.Variant) bool) (*made,
	error) {
	begin := time.Now()
	im, sums, err := c.makeWithin(ctx, of, wanted)
	if err != nil {
		return nil, err
	}
	c.prog.cannotEnter(im)
	if len(im.entries) == 0 {
		return nil, nil
	}
	b := c.builderOf(c.build, len(c.further)+1)
	for i := range im.entries {
		im.entries[i].image = b.image
	}
	m := &made{image: im, sums: sums, beside: c.programBeside(im, b.image)}
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		m.program, err = b.engineProgram(gctx, c.prog, im, c.job.Mode, nil)
		return err
	})
	if c.judge.recheck != nil {
		g.Go(func() (err error) {
			m.recheck, err = c.programOfRecheck(gctx, b, im)
			return err
		})
	}
	m.pool, m.done, err = c.openPool(gctx, b, im)
	if err = errors.Join(err, g.Wait()); err != nil {
		if m.done != nil {
			m.done()
		}
		return nil, err
	}
	m.took = time.Since(begin)
	log.Debugf("a further image with %d entries after %v, in %v", len(im.entries), time.Since(c.began), m.took)
	return m, nil
}

// adopt adds an image to the campaign: from now on its entries can be explored, and
// their tests replayed.
func (c *session) adopt(m *made) ([]*way, error) {
	c.closers = append(c.closers, m.done)
	c.mu.Lock()
	c.further = append(c.further, m.image)
	c.mu.Unlock()
	c.judge.mu.Lock()
	c.judge.further = append(c.judge.further, m.pool)
	c.judge.mu.Unlock()
	if c.judge.recheck != nil {
		c.judge.recheck.add(m.recheck)
	}
	c.takeBeside(m.beside)
	maps.Copy(c.memory.sums, m.sums)
	c.prog.add(m.image)
	return c.ways(m.image), c.st.TryAgain()
}

// makeWithin is makeNext that nobody waits for when the context ends: what it does
// then is of no use to anybody, and touches nothing.
func (c *session) makeWithin(ctx context.Context, of []target, wanted func(target, drivers.Variant) bool) (*image,
	map[string]string, error) {
	var im *image
	var sums map[string]string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		im, sums, err = c.makeNext(ctx, of, wanted)
	}()
	select {
	case <-done:
		return im, sums, err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// makeNext makes the image with the sums of its entries, those left out that were
// explored to their ends or that earlier runs have done with.
func (c *session) makeNext(ctx context.Context, of []target, wanted func(target, drivers.Variant) bool) (*image,
	map[string]string, error) {
	rest := map[string]bool{}
	left := func(t target, v drivers.Variant) bool { return wanted(t, v) && !rest[t.name+v.String()] }
	for {
		im, err := until(ctx, func() (*image, error) {
			return makeImage(ctx, c.clang, c.build.rt, &c.job, c.prog, of, left)
		})
		if err != nil || len(c.memory.Entries) == 0 || len(rest) > 0 || c.resting {
			return im, c.sumsOf(im, err), err
		}
		sums := c.prog.sumsOf(im, c.wishes(), &c.job)
		for _, e := range im.entries {
			if !c.restsAs(e.name, sums[e.name]) {
				continue
			}
			rest[e.name] = true
			if err := c.rest(e); err != nil {
				return nil, nil, err
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
	for _, e := range c.prog.all() {
		if t := c.judge.tallies[e.name]; t != nil {
			for reason := range t.reasons {
				out[e.target] = out[e.target] || beyondMemory.MatchString(reason)
			}
		}
	}
	return out
}
