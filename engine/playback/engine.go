package playback

import (
	"context"
	"time"

	"klabel/engine"
)

// Engine plays a recording back inside the process. It takes the place of KLEE
// where an engine.Engine is wanted.
type Engine struct {
	recording *Recording
	options   Options
}

// New makes an engine of the recording in a directory.
func New(dir string, o Options) (*Engine, error) {
	r, err := Load(dir)
	if err != nil {
		return nil, err
	}
	return &Engine{r, o}, nil
}

// Name is "klee": what it writes is KLEE's.
func (e *Engine) Name() string { return "klee" }

// Version says that it is no KLEE.
func (e *Engine) Version() string { return "playback" }

// Start begins to play into o.OutputDir. The program is not looked at.
func (e *Engine) Start(ctx context.Context, _ engine.Program, o engine.Options) (engine.Run, error) {
	ctx, cancel := context.WithCancel(ctx)
	if o.Budget > 0 {
		time.AfterFunc(o.Budget, cancel)
	}
	r := &run{player: &player{r: e.recording, out: o.OutputDir, o: e.options}, cancel: cancel,
		ended: make(chan struct{})}
	go r.play(ctx)
	return r, nil
}

// Close does nothing: there is no process.
func (e *Engine) Close() error { return nil }

type run struct {
	player *player
	cancel context.CancelFunc
	ended  chan struct{}
	stats  engine.Stats
	err    error
}

func (r *run) play(ctx context.Context) {
	defer close(r.ended)
	defer r.cancel()
	begin := time.Now()
	halted, err := r.player.play(ctx)
	p, totals := r.player, r.player.r.totals
	r.err = err
	r.stats = engine.Stats{
		Tests:        uint64(p.played.Load()),
		Paths:        totals["completed paths"] + totals["partially completed paths"],
		Instructions: totals["total instructions"],
		Queries:      totals["total queries"],
		Seconds:      time.Since(begin).Seconds(),
		Complete:     !halted && err == nil,
	}
	if halted {
		r.stats.Paths, r.stats.Instructions, r.stats.Queries = p.soFar(r.stats.Paths), p.soFar(r.stats.Instructions),
			p.soFar(r.stats.Queries)
	}
}

func (r *run) Dir() string { return r.player.out }
func (r *run) Stop()       { r.cancel() }

func (r *run) Progress() engine.Progress {
	t := r.player.r.totals
	return engine.Progress{
		Paths:        r.player.soFar(t["completed paths"] + t["partially completed paths"]),
		Instructions: r.player.soFar(t["total instructions"]),
	}
}

func (r *run) Wait() (engine.Stats, error) {
	<-r.ended
	return r.stats, r.err
}
