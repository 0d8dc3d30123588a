package native

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"klabel/engine/native/code"
	"klabel/engine/native/exec"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// Subcommand is the name under which the binary must offer Main.
const Subcommand = "native-engine"

// Version is the engine's own version.
const Version = "1"

// list is a repeatable, comma-separated flag.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }
func (l *list) Set(s string) error {
	*l = append(*l, strings.Split(s, ",")...)
	return nil
}

// seconds reads "10", "3.5" and Go's "1m30s".
type seconds time.Duration

func (d *seconds) String() string { return time.Duration(*d).String() }
func (d *seconds) Set(s string) error {
	if f, err := strconv.ParseFloat(s, 64); err == nil && f >= 0 {
		*d = seconds(f * float64(time.Second))
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no duration (10, 3.5, 1m30s)", s)
	}
	*d = seconds(v)
	return nil
}

type settings struct {
	output   string
	view     string
	libc     string
	clang    string
	links    list
	explorer exec.Options
	maxTime  seconds
	query    seconds
}

func (s *settings) flags(stderr io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet(Subcommand, flag.ContinueOnError)
	fs.SetOutput(stderr)
	o := &s.explorer
	fs.StringVar(&s.output, "output-dir", "", "directory to make and to write to")
	fs.StringVar(&s.view, "live-view", "", "file with the labels' statuses")
	fs.StringVar(&s.libc, "libc", "", "compiled C library (.ll); made when empty")
	fs.StringVar(&s.clang, "clang", "", "clang to use for .bc files and the C library")
	fs.Var(&s.links, "link", "further file of the program")
	fs.BoolVar(&o.Greybox, "greybox", false, "ask labels of the solver where they stand")
	fs.BoolVar(&o.EmitAllErrors, "emit-all-errors", false, "write a test for each error, even at the same place")
	fs.Var(&s.maxTime, "max-time", "stop after this time")
	fs.Var(&s.query, "max-solver-time", "give a query up after this time")
	fs.IntVar(&o.MaxMemoryMB, "max-memory", 2000, "drop paths beyond this many MB")
	fs.Uint64Var(&o.MaxInstr, "max-instructions", 0, "stop after this many instructions")
	fs.IntVar(&o.MaxDepth, "max-depth", 0, "do not fork beyond this depth")
	fs.IntVar(&o.MaxPaths, "max-paths", 0, "stop after this many paths")
	fs.IntVar(&o.MaxForks, "max-forks", 0, "do not fork more often")
	fs.IntVar(&o.MaxTests, "max-tests", 0, "stop after this many tests")
	fs.Var((*list)(&o.Searchers), "search", "order of exploration; several interleave")
	fs.Int64Var(&o.Seed, "seed", 1, "seed of random choices")
	return fs
}

// Main is the subcommand: native-engine [options] PROGRAM.ll [ARGUMENTS]. It
// returns an exit code: 0 also for a run that was stopped gently.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, stop := gentleSignals(ctx)
	defer stop()
	var s settings
	fs := s.flags(stderr)
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if fs.NArg() == 0 || s.output == "" {
		fmt.Fprintf(stderr, "%s: needs --output-dir and a program (.ll or .bc)\n", Subcommand)
		return 2
	}
	if err := exec.CheckSearchers(s.explorer.Searchers); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", Subcommand, err)
		return 2
	}
	if err := s.explore(ctx, fs.Args(), stderr); err != nil {
		fmt.Fprintf(stderr, "KLEE: ERROR: %v\n", err)
		return 1
	}
	return 0
}

// gentleSignals cancels on the first INT or TERM and exits on the second.
func gentleSignals(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		for n := 0; ; n++ {
			select {
			case <-ch:
				if n > 0 {
					os.Exit(1)
				}
				cancel()
			case <-done:
				return
			}
		}
	}()
	return ctx, func() { signal.Stop(ch); close(done); cancel() }
}

func (s *settings) explore(ctx context.Context, args []string, stderr io.Writer) (err error) {
	started := time.Now()
	out, err := newOutput(s.output, args, stderr)
	if err != nil {
		return err
	}
	defer out.close()
	rep := &report{Version: Version}
	defer func() {
		rep.Finished = true
		rep.Seconds = time.Since(started).Seconds()
		if err != nil {
			rep.Error = err.Error()
		}
		if e := out.writeInfo(started, rep); err == nil {
			err = e
		}
		if e := out.writeReport(rep); err == nil {
			err = e
		}
	}()
	if m := s.explorer.MaxMemoryMB; m > 0 {
		debug.SetMemoryLimit(int64(m) << 20 * 5 / 4)
	}
	debug.SetGCPercent(300)
	prog, err := s.load(ctx, append([]string{args[0]}, s.links...))
	if err != nil && ctx.Err() != nil { // told to stop: no error of the program's
		rep.Notes = []string{"stopped before the exploration began"}
		return nil
	}
	if err != nil {
		return err
	}
	labels, err := s.labels()
	if err != nil {
		return err
	}
	o := s.explorer
	o.MaxTime, o.SolverTime = time.Duration(s.maxTime), time.Duration(s.query)
	o.Args = args
	for _, a := range args[1:] {
		if strings.HasPrefix(strings.TrimPrefix(a, "-"), "-sym-") {
			o.Entry = "klabel_posix_main"
		}
	}
	var ex *exec.Engine
	o.Progress = func(st *exec.Stats) {
		fill(rep, st, ex)
		rep.Seconds = time.Since(started).Seconds()
		_ = out.writeReport(rep)
	}
	ex = exec.New(prog, out, labels, o)
	stats, err := ex.Run(ctx)
	fill(rep, &stats, ex)
	rep.Complete = err == nil && len(stats.Incomplete) == 0
	rep.Infeasible = stats.Infeasible
	rep.Notes = notes(prog, &stats)
	fmt.Fprint(stderr, totals(rep))
	return err
}

func fill(r *report, s *exec.Stats, ex *exec.Engine) {
	q := ex.SolverStats()
	r.Paths, r.Completed, r.Partial = s.Completed+s.Partial, s.Completed, s.Partial
	r.Instructions, r.Tests, r.MaxStates = s.Instructions, s.Tests, s.MaxStates
	r.Queries, r.SATQueries, r.SATSeconds = q.Questions, q.BySAT, q.SATTime.Seconds()
	if q.BadModels > 0 {
		r.Error = fmt.Sprintf("%d answers of the solver failed their check", q.BadModels)
	}
}

func notes(p *code.Program, s *exec.Stats) []string {
	n := s.Incomplete
	for _, u := range p.Undefined {
		n = append(n, "external variable "+u+" has no definition; it reads as zero")
	}
	if s.Dropped > 0 {
		n = append(n, fmt.Sprintf("%d paths dropped by the memory limit", s.Dropped))
	}
	if s.TimedOut > 0 {
		n = append(n, fmt.Sprintf("%d queries took too long", s.TimedOut))
	}
	if s.Internal > 0 {
		n = append(n, fmt.Sprintf("%d paths ended by an internal error", s.Internal))
	}
	for id, why := range s.SideOnly {
		n = append(n, fmt.Sprintf("label %d: %s", id, why))
	}
	return n
}

func (s *settings) labels() (exec.Labels, error) {
	if s.view == "" {
		return ownView{}, nil
	}
	return openView(s.view)
}

// load reads the program's files and the C library and links them.
func (s *settings) load(ctx context.Context, files []string) (*code.Program, error) {
	var mods []*ir.Module
	for _, f := range files {
		m, err := s.module(ctx, f)
		if err != nil {
			return nil, err
		}
		mods = append(mods, m)
	}
	if s.libc == "" {
		path, err := s.compileLibc(ctx)
		if err != nil {
			return nil, err
		}
		s.libc = path
	}
	lib, err := s.module(ctx, s.libc)
	if err != nil {
		return nil, err
	}
	link, err := ir.Link(mods, []*ir.Module{lib})
	if err != nil {
		return nil, err
	}
	return code.Load(link, expr.NewBuilder(), map[*ir.Module]bool{lib: true})
}

func (s *settings) module(ctx context.Context, path string) (*ir.Module, error) {
	text := path
	if filepath.Ext(path) == ".bc" {
		text = filepath.Join(s.output, filepath.Base(path)+".ll")
		clang, err := s.findClang(ctx)
		if err != nil {
			return nil, err
		}
		if err := clang.IR(ctx, path, text, nil); err != nil {
			return nil, err
		}
	}
	b, err := os.ReadFile(text)
	if err != nil {
		return nil, err
	}
	return ir.Parse(path, b)
}
