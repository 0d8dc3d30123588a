package campaign

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"klabel/engine"
	"klabel/fault"
)

// beside is the fuzzer where it works along with another engine, "native+fuzz":
// both share entries, live view and tests, and what either covers is no work for
// the other.
//
// Where nobody has asked for it it is patient: it begins when the engine has found
// nothing for a while, and ends when it finds nothing itself after the engine has
// ended. What the engine does alone costs nothing then.
type beside struct {
	row      engineRow
	engine   engine.Engine
	build    builder
	patient  bool
	reads    bool // the program reads text, which a fuzzer soon has more of
	used     atomic.Bool
	programs []*besideProgram // by image; guarded by the session's lock
}

// besideProgram is an image for it, being compiled or not yet.
type besideProgram struct {
	begin  sync.Once
	begun  atomic.Bool
	make   func(context.Context) (engine.Program, error)
	cancel context.CancelFunc
	done   chan struct{}
	p      engine.Program
	err    error
}

// compile begins to compile while other things go on.
func (b *besideProgram) compile(ctx context.Context) {
	b.begin.Do(func() {
		b.begun.Store(true)
		ctx, b.cancel = context.WithCancel(ctx)
		go func() {
			defer close(b.done)
			b.p, b.err = b.make(ctx)
		}()
	})
}

// end ends what compiles still: it would outlive the campaign.
func (b *besideProgram) end() {
	b.begin.Do(func() { close(b.done) })
	if b.cancel != nil {
		b.cancel()
	}
	<-b.done
}

// ready reports whether it is compiled.
func (b *besideProgram) ready() bool {
	select {
	case <-b.done:
		return true
	default:
		return false
	}
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

// openBeside opens the engine that works along, if it can be used here. A patient
// one that cannot be is not missed.
func (c *session) openBeside(row *engineRow, patient bool) error {
	if row == nil || patient && row.ready(c.tools) != nil {
		return nil
	}
	if !c.job.Mode.Own() {
		return fault.Usagef("mode %q is for one engine alone: leave out +%s", c.job.Mode, row.name)
	}
	if err := row.ready(c.tools); err != nil {
		c.note(row.title + " is not used: " + err.Error())
		return nil
	}
	clang, err := row.clang(c.tools)
	if err != nil {
		return err
	}
	opened := row.open(c.tools, clang)
	c.beside = &beside{row: *row, engine: opened, patient: patient, reads: posixArgs(c.job.ProgramArgs)}
	c.beside.build = c.build
	c.beside.build.engine, c.beside.build.form = clang, row.form
	c.closers = append(c.closers, func() { _ = opened.Close() })
	return nil
}

// programBeside is an image for it, compiled when it is wanted first: of many
// entries, what the campaign's own engine and replays need comes before it. Nil where nothing works
// beside.
func (c *session) programBeside(im *image, number int) *besideProgram {
	if c.beside == nil {
		return nil
	}
	build, mode := c.builderOf(c.beside.build, number), c.beside.row.best
	build.rt = c.build.rt
	return &besideProgram{done: make(chan struct{}), make: func(ctx context.Context) (engine.Program, error) {
		return build.engineProgram(ctx, c.prog, im, mode, nil)
	}}
}

// takeBeside adds the program of a further image.
func (c *session) takeBeside(p *besideProgram) {
	if p == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.beside.programs = append(c.beside.programs, p)
	c.closers = append(c.closers, p.end)
}

// endBeside ends what is compiled still, where no engine will run it.
func (c *session) endBeside() {
	if c.beside == nil {
		return
	}
	c.mu.Lock()
	all := c.beside.programs
	c.mu.Unlock()
	for _, p := range all {
		p.end()
	}
}

// besideOf is what an entry is in.
func (c *session) besideOf(e entry) *besideProgram {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.beside.programs[e.image]
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

// turnBeside makes the turn of an entry one of the engine beside, if it works and is
// compiled by then.
func (c *session) turnBeside(ctx context.Context, r turn, until time.Time) (turn, bool) {
	c.mu.Lock()
	failed := c.besideFailed
	c.mu.Unlock()
	b := c.besideOf(r.entry)
	if failed {
		return r, false
	}
	b.compile(ctx)
	if !b.ready() {
		select {
		case <-b.done:
		case <-c.st.Resolved(): // at the latest now nobody needs it
			return r, false
		case <-time.After(time.Until(until)):
			return r, false
		}
	}
	if b.err != nil {
		if ctx.Err() == nil {
			c.besideFails(b.err)
		}
		return r, false
	}
	c.beside.used.Store(true)
	r.beside, r.program, r.mode, r.everyPath = true, b.p, c.beside.row.best, true
	return r, true
}

// quietShare of the budget, and leastQuiet, are how long nothing new is found before
// a patient engine begins, and before it ends when the other one has ended.
const (
	quietShare = 20
	leastQuiet = time.Second
	quietReads = 300 * time.Millisecond // before it begins with a program that reads text
)

// besideAll lets it work on the only entry as long as the campaign's own engine
// does; wait returns when it has ended: at once if all is over, else when the time
// is up.
func (c *session) besideAll(ctx context.Context, e entry, budget time.Duration) (wait func(over bool)) {
	if c.beside == nil {
		return func(bool) {}
	}
	ctx, stop := context.WithCancel(ctx)
	done, alone := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	quiet := max(leastQuiet, budget/quietShare)
	var last atomic.Int64 // when it began itself
	go func() {
		defer close(done)
		first := quiet
		if c.beside.reads {
			first = quietReads
			c.besideOf(e).compile(ctx)
		}
		if c.beside.patient && !c.quiet(ctx, begin, first, alone) {
			return
		}
		last.Store(int64(time.Since(begin)))
		r, ok := c.turnBeside(ctx, turn{entry: e, engines: 1}, begin.Add(budget))
		r.until = func() bool {
			if c.beside.patient && closed(alone) &&
				time.Since(begin)-max(c.judge.lastNews(begin), time.Duration(last.Load())) > 2*quiet {
				return true
			}
			return c.st.AllResolved() || c.dry()
		}
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
		close(alone)
		<-done
		stop()
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// quiet waits until no label has been covered for a while, or until the engine has
// ended with labels open; false: the campaign is over.
func (c *session) quiet(ctx context.Context, begin time.Time, so time.Duration, alone <-chan struct{}) bool {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for time.Since(begin)-c.judge.lastNews(begin) < so {
		select {
		case <-ctx.Done():
			return false
		case <-alone:
			return ctx.Err() == nil && !c.st.AllResolved()
		case <-tick.C:
		}
	}
	return true
}

// engineNames is what the summary calls the engines that work.
func (c *session) engineNames() string {
	if c.beside == nil || c.beside.patient && !c.beside.used.Load() {
		return c.engine.Name()
	}
	return c.engine.Name() + "+" + c.beside.engine.Name()
}

// maker is the name of the engine whose slice one is.
func (c *session) maker(beside bool) string {
	if beside {
		return c.beside.engine.Name()
	}
	return c.engine.Name()
}

// lastNews is when, after a moment, a label was covered last; 0 if none was.
func (k *judge) lastNews(begin time.Time) time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.newsAt.Before(begin) {
		return 0
	}
	return k.newsAt.Sub(begin)
}
