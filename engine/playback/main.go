package playback

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The environment of Main.
const (
	EnvRecording = "KLABEL_PLAYBACK"       // directory of the recording
	EnvSpeed     = "KLABEL_PLAYBACK_SPEED" // Options.Speed
)

// version answers --version. No clang is newer than this LLVM, so every clang
// fits: the bitcode is never read.
const version = `KLEE 3.1 (https://klee.github.io)
  Build mode: playback of a recording

LLVM (http://llvm.org/):
  LLVM version 99.0.0
`

const help = `OPTIONS:
  --dump-states-on-halt               - 
  --emit-all-errors                   - 
  --external-call-warnings=<value>    - 
  --external-calls=<value>            - 
  --ignore-solver-failures            - 
  --libc=<value>                      - 
  --max-time=<string>                 - 
  --only-output-states-covering-new   - 
  --output-dir=<string>               - 
  --posix-runtime                     - 
  --search=<value>                    - 
`

// Main is a program that takes KLEE's command line and signals and plays the
// recording that KLABEL_PLAYBACK names. It returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	var out string
	var limit time.Duration
	for _, a := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !strings.HasPrefix(a, "-") {
			break // the bitcode; the rest is the program's
		}
		switch name {
		case "version":
			fmt.Fprint(stdout, version)
			return 0
		case "help", "help-hidden":
			fmt.Fprint(stdout, help)
			return 0
		case "output-dir":
			out = value
		case "max-time":
			limit, _ = time.ParseDuration(value) // klabel writes seconds; anything else is no limit
		}
	}
	if err := playTo(out, limit, stderr); err != nil {
		fmt.Fprintf(stderr, "KLEE: ERROR: %v\n", err)
		return 1
	}
	return 0
}

func playTo(out string, limit time.Duration, stderr io.Writer) error {
	if out == "" {
		return fmt.Errorf("no --output-dir given")
	}
	r, err := Load(os.Getenv(EnvRecording))
	if err != nil {
		return fmt.Errorf("%s: %w", EnvRecording, err)
	}
	o := Options{}
	if s := os.Getenv(EnvSpeed); s != "" {
		if o.Speed, err = strconv.ParseFloat(s, 64); err != nil {
			return fmt.Errorf("%s: %w", EnvSpeed, err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	p := &player{r: r, out: out, o: o}
	if _, err := p.play(ctx); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "KLEE: done: generated tests = %d\n", p.played.Load())
	return nil
}
