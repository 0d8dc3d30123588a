package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/engine"
	"klabel/engine/fuzz"
	"klabel/engine/klee"
	"klabel/fault"
	"klabel/instrument"
	"klabel/label"
	"klabel/replayer"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// builder turns a labelled program into what engines run and replays execute.
type builder struct {
	layout layout
	rt     runtime_c.Paths
	native *toolchain.Clang // for replays and the covered() library
	engine *toolchain.Clang // whose output the engine reads
	form   form             // what the engine runs
	args   []string         // of the program's main, for a form that holds them
	given  bool             // nobody asked for them: klabel makes them
	image  int              // number of the image, from 0
	end    time.Time        // of the budget; zero: it is that of each function
	again  bool             // it is compiled for the second run of tests, beside the first
}

// stem names the files of an image: engines keep what they have read of one.
func (b builder) stem(name string) string {
	if b.again {
		name += "-recheck"
	}
	if b.image == 0 {
		return name
	}
	return fmt.Sprintf("%s-image%d", name, b.image+1)
}

// engineProgram compiles the program for an engine in a mode; with only, not
// nil, for these labels alone.
func (b builder) engineProgram(ctx context.Context, p *program, im *image, mode engine.Mode,
	only map[label.ID]bool) (engine.Program, error) {
	var sized []string
	if b.form == bitcode {
		sized = p.sizedPrefixes()
		im = im.prefixed(sized)
	}
	files, flags, err := p.rewrite(im, b.layout, b.stem("engine-"+string(mode)),
		instrument.Options{Mode: mode, Only: only, Input: b.openInput()})
	if err != nil {
		return engine.Program{}, err
	}
	if b.form == fuzzed {
		return b.fuzzedProgram(ctx, p, im, files, flags)
	}
	var machine toolchain.Flags
	if len(flags) > 0 {
		machine = flags[0].Machine()
	}
	if p.verifier {
		files = append(files, b.rt.Verifier)
		flags = append(flags, append(toolchain.Flags{"-I" + b.rt.Include}, machine...))
	}
	if b.form == bitcode && p.asksLacking(sized) {
		files = append(files, b.rt.Lacking)
		flags = append(flags, append(toolchain.Flags{"-I" + b.rt.Include}, machine...))
	}
	ext, compile := ".bc", b.engine.Bitcode
	edit := b.form == bitcode && b.given
	if b.form == assembly || edit {
		ext, compile = ".ll", b.engine.IR
	}
	outs := make([]string, len(files))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for i, in := range files {
		outs[i] = b.layout.work(fmt.Sprintf("%s-%d%s", b.stem("engine-"+string(mode)), i+1, ext))
		g.Go(func() error { return compile(gctx, in, outs[i], append([]string{"-w"}, flags[i]...)) })
	}
	if err := g.Wait(); err != nil {
		return engine.Program{}, err
	}
	if edit {
		if err := b.forUclibc(ctx, outs); err != nil {
			return engine.Program{}, err
		}
	}
	// Without llvm-link KLEE joins the files itself.
	if len(outs) > 1 && b.form == bitcode && b.engine.LLVMLink != "" {
		linked := b.layout.work(b.stem("engine-"+string(mode)) + ".bc")
		if err := b.engine.Link(ctx, outs, linked); err != nil {
			return engine.Program{}, err
		}
		outs = []string{linked}
	}
	return engine.Program{Files: outs}, nil
}

// forUclibc makes bitcode of LLVM assembly, as KLEE wants it of a program that is given
// what it reads.
func (b builder) forUclibc(ctx context.Context, files []string) error {
	texts := make([][]byte, len(files))
	for i, f := range files {
		var err error
		if texts[i], err = os.ReadFile(f); err != nil {
			return err
		}
	}
	for i, text := range klee.ForUclibc(texts) {
		in := files[i]
		if err := os.WriteFile(in, text, 0o666); err != nil {
			return err
		}
		files[i] = strings.TrimSuffix(in, ".ll") + ".bc"
		if err := b.engine.Bitcode(ctx, in, files[i], nil); err != nil {
			return err
		}
		if err := os.Remove(in); err != nil {
			return err
		}
	}
	return nil
}

// openInput is the most that the standard input of KLEE's program has, where it has
// any length; else 0. The native engine's library knows of it itself.
func (b builder) openInput() int {
	i := slices.IndexFunc(b.args, engine.OpenInput)
	if b.form != bitcode || i < 0 || i+1 >= len(b.args) {
		return 0
	}
	n, err := strconv.Atoi(b.args[i+1])
	if err != nil || n < 0 || n > mostOpenInput {
		return 0
	}
	return n
}

// mostOpenInput bounds the paths that a program of KLEE's begins with, one a length.
const mostOpenInput = 4096

// fuzzedProgram builds the native program that a fuzzer runs.
func (b builder) fuzzedProgram(ctx context.Context, p *program, im *image, files []string,
	flags []toolchain.Flags) (engine.Program, error) {
	said := p.constants()
	what := fuzz.Image{Args: b.args, Words: said.Words, Numbers: said.Numbers, MaxID: uint32(p.maxID),
		Flags: p.linkFlags}
	for i := range files {
		what.Sources = append(what.Sources, fuzz.Source{File: files[i], Flags: flags[i]})
	}
	for _, e := range im.entries {
		if e.ownMain() {
			what.Main = true
		} else {
			what.Symbols = append(what.Symbols, e.symbol)
			what.Fractions = what.Fractions || len(e.inputs.Fractions()) > 0
		}
	}
	if !b.end.IsZero() {
		what.Patience = max(time.Until(b.end)/time.Duration(optimisePart*len(files)), time.Nanosecond)
	}
	out := b.layout.work(b.stem("fuzzed"))
	return engine.Program{Files: []string{out}}, unlinkedHint(fuzz.Build(ctx, b.engine, what, out))
}

// optimisePart of the time left is what optimising all fuzzed sources may take: they run faster for
// the rest of it, by a tenth, or twice as fast where they loop.
const optimisePart = 50

// replayBinary builds the native program that replays tests.
func (b builder) replayBinary(ctx context.Context, p *program, im *image, sanitize bool, out string) error {
	files, flags, err := p.rewrite(im, b.layout, b.stem("replay"), instrument.Options{Mode: instrument.Replay})
	if err != nil {
		return err
	}
	sources := make([]replayer.Source, len(files))
	for i := range files {
		sources[i] = replayer.Source{File: files[i], Flags: flags[i]}
	}
	return unlinkedHint(replayer.BuildAll(ctx, b.native, sources, im.replayEntries(), out, sanitize, p.linkFlags...))
}

// unlinkedHint says what to do where a program needs a library that nobody named.
func unlinkedHint(err error) error {
	var tool *toolchain.ToolError
	if !errors.As(err, &tool) {
		return err
	}
	names := toolchain.Undefined(tool.Stderr)
	if len(names) == 0 {
		return err
	}
	return fault.WithHint(err, "give the library or the file that has %s: --cflag -lNAME, or FILE.c", names[0])
}

// coveredLibrary builds the library that brings covered() into KLEE.
func (b builder) coveredLibrary(ctx context.Context) (string, error) {
	out := b.layout.work("libklabel-covered.so")
	err := b.native.Executable(ctx, []string{b.rt.Covered}, out,
		[]string{"-shared", "-fPIC", "-O2", "-I" + b.rt.Include})
	return out, err
}
