package native

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"klabel/engine/native/exec"
)

// Subcommand is the name under which the binary must offer Main.
const Subcommand = "native-engine"

// Version is the engine's own version.
const Version = "1"

// Main is the subcommand, in two forms:
//
//	native-engine [options] PROGRAM.ll [ARGUMENTS]
//	native-engine --serve
//
// The first explores a program. The second reads slices of one from standard
// input; see serve. It returns an exit code: 0 also for a run that was stopped gently.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return Recorded(ctx, args, nil, stdout, stderr)
}

// Recorded is Main, telling what is asked of the SAT core: a benchmark of
// solvers keeps it.
func Recorded(ctx context.Context, args []string, record exec.Record, stdout, stderr io.Writer) int {
	ctx, stop := gentleSignals(ctx)
	defer stop()
	var s settings
	var im image
	fs := newFlagSet(stderr)
	im.flags(fs)
	serving := fs.Bool("serve", false, "read slices from standard input")
	if err := s.parse(fs, args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			return 0
		}
		return 2
	}
	if fs.NArg() > 0 && !*serving && !given(fs, "output-dir") {
		var err error
		if s.output, err = nextOutput(fs.Arg(0)); err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", Subcommand, err)
			return 2
		}
		fmt.Fprintf(stderr, "KLEE: output directory is %q\n", s.output)
	}
	if *serving {
		return serve(ctx, &im, os.Stdin, stdout, stderr)
	}
	if fs.NArg() == 0 || s.output == "" {
		fmt.Fprintf(stderr, "%s: needs --output-dir and a program (.ll or .bc)\n", Subcommand)
		return 2
	}
	s.explorer.Record = record
	im.files = append([]string{fs.Arg(0)}, im.links...)
	if err := im.explore(ctx, &s, fs.Args(), stderr); err != nil {
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
