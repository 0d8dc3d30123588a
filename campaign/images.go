package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/drivers"
	"klabel/engine"
)

// nextImage makes an image of the functions that have open labels, in all
// variants that are not explored to their ends, and what explores and replays
// it. Without ways there are none, or it took longer than the context allows.
func (c *session) nextImage(ctx context.Context) (p engine.Program, ways []*way, err error) {
	var open []target
	for _, t := range c.prog.asked {
		if c.prog.leftOut[t.name] == "" && slices.ContainsFunc(c.prog.byPlace[place{t.unit, t.function}], c.isOpen) {
			open = append(open, t)
		}
	}
	if len(open) == 0 {
		return p, nil, nil
	}
	im, err := makeImage(ctx, c.clang, c.build.rt, &c.job, c.prog, open,
		func(t target, v drivers.Variant) bool { return !c.explored[t.name+v.String()] })
	if err == nil && len(im.entries) > 0 {
		c.prog.image = im
		p, err = c.openImage(ctx)
	}
	if err != nil && ctx.Err() == nil {
		c.note(fmt.Sprintf("further entries cannot be made: %v", err)) // what was found stays
	}
	if err != nil || len(im.entries) == 0 {
		return p, nil, c.judge.failed()
	}
	if !c.job.NoRandom {
		c.sample(ctx)
	}
	ways = c.ways()
	log.Debugf("another image with %d entries after %v", len(ways), time.Since(c.began))
	return p, ways, nil
}

// openImage compiles the image, once more, and lets the judge replay with it.
func (c *session) openImage(ctx context.Context) (p engine.Program, err error) {
	c.build.image++
	var g errgroup.Group
	g.Go(func() (err error) {
		p, err = c.build.engineProgram(ctx, c.prog, c.job.Mode, nil)
		return err
	})
	pool, err := c.openPool(ctx)
	again, aerr := c.openRecheck(ctx)
	if err := errors.Join(err, aerr, g.Wait()); err != nil {
		return p, err
	}
	c.judge.pool.Close()
	again.inherit(c.judge.recheck)
	c.judge.pool, c.judge.recheck = pool, again
	return p, nil
}
