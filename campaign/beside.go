package campaign

import (
	"context"
	"fmt"
	"strings"
	"time"

	"klabel/engine"
	"klabel/fault"
)

// beside is the fuzzer where it works along with another engine, "native+fuzz":
// both share entries, live view and tests, and what either covers is no work for
// the other.
type beside struct {
	row     engineRow
	engine  engine.Engine
	build   builder
	program func() (engine.Program, error) // waits until it is compiled
}

// splitEngines takes the fuzzer out of names joined by +. Alone it is no engine
// beside another.
func splitEngines(name string, table []engineRow) (main string, extra *engineRow, err error) {
	for _, n := range strings.Split(name, "+") {
		i := 0
		for i < len(table) && (table[i].name != n || table[i].form != fuzzed) {
			i++
		}
		switch {
		case i < len(table) && strings.Contains(name, "+"):
			extra = &table[i]
		case main == "":
			main = n
		default:
			return "", nil, fault.Usagef("engine %q: one engine and the fuzzer can work together, as native+fuzz", name)
		}
	}
	if main == "" {
		return "", nil, fault.Usagef("engine %q: which engine shall the fuzzer work with?", name)
	}
	return main, extra, nil
}

// openBeside opens the engine that works along, if it can be used here.
func (c *session) openBeside(row *engineRow) error {
	if row == nil {
		return nil
	}
	if !c.job.Mode.Own() {
		return fault.Usagef("mode %q is for one engine alone: leave out +%s", c.job.Mode, row.name)
	}
	if err := row.ready(c.tools); err != nil {
		c.note(row.title + " is not used: " + err.Error())
		return nil
	}
	if posixArgs(c.job.ProgramArgs) {
		c.note(row.title + " is not used: it has no symbolic arguments and files")
		return nil
	}
	clang, err := row.clang(c.tools)
	if err != nil {
		return err
	}
	c.beside = &beside{row: *row, engine: row.open(c.tools, clang)}
	c.beside.build = c.build
	c.beside.build.engine, c.beside.build.form = clang, row.form
	c.closers = append(c.closers, func() { _ = c.beside.engine.Close() })
	return nil
}

// compileBeside compiles an image for it while other things go on; the result waits
// for it, and is nil where nothing works beside.
func (c *session) compileBeside(ctx context.Context, im *image, number int) func() (engine.Program, error) {
	if c.beside == nil {
		return nil
	}
	build, mode := c.beside.build, c.beside.row.best
	build.rt, build.image = c.build.rt, number
	var p engine.Program
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		p, err = build.engineProgram(ctx, c.prog, im, mode, nil)
	}()
	return func() (engine.Program, error) {
		<-done
		return p, err
	}
}

// besideFails notes, once, that it does not work: the campaign's own engine goes on
// alone.
func (c *session) besideFails(err error) {
	c.mu.Lock()
	first := !c.besideFailed
	c.besideFailed = true
	c.mu.Unlock()
	if first {
		c.note(fmt.Sprintf("%s is not used: %v", c.beside.row.title, err))
	}
}

// turnBeside makes the turn of an entry one of the engine beside, if it works.
func (c *session) turnBeside(r turn) (turn, bool) {
	c.mu.Lock()
	failed := c.besideFailed
	c.mu.Unlock()
	if failed {
		return r, false
	}
	p, err := c.beside.program()
	if err != nil {
		c.besideFails(err)
		return r, false
	}
	r.beside, r.program, r.mode, r.everyPath = true, p, c.beside.row.best, true
	return r, true
}

// besideAll lets it work on the only entry as long as the campaign's own engine
// does; wait returns when it has ended: at once if all is over, else when the time
// is up.
func (c *session) besideAll(ctx context.Context, e entry, budget time.Duration) (wait func(over bool)) {
	if c.beside == nil {
		return func(bool) {}
	}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(done)
		r, ok := c.turnBeside(turn{entry: e, engines: 1, until: c.st.AllResolved})
		if r.budget = budget - time.Since(begin); !ok || r.budget <= 0 || ctx.Err() != nil {
			return
		}
		if _, err := c.exploreOnce(ctx, r); err != nil && ctx.Err() == nil {
			c.besideFails(err)
		}
	}()
	return func(over bool) {
		if over {
			stop()
		}
		<-done
		stop()
	}
}
