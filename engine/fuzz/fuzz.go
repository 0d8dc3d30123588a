// Package fuzz is the fuzzer as an engine: libFuzzer, in one process that runs an
// entry of the image over and over on inputs made of the objects that it asks for.
//
// It exists because a fuzzer is strong where symbolic execution is weak: long
// inputs, checksums that chance hits, deep state. It promises that only labels that
// are open in the live view lead the fuzzer, that every find is a whole test which
// replays like any other, that what the program does (exit, crash, hang) ends an
// input and not the engine, and that the corpus is on disk at all times, so that
// the next run of the entry goes on from it.
//
// Limits: it proves nothing and never ends by itself. Memory at fixed addresses is
// not made, nor what of KLEE's POSIX runtime is no input (failing calls). What the
// runtime cannot put back between runs is said in runtime_c/fuzz/fuzz.h.
//
//   - build.go: C to a fuzzed program, one for all entries
//   - runtime.go: what is the same in all of them, compiled once
//   - run.go: one process after another, records to tests
package fuzz

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"klabel/engine"
	"klabel/fault"
	"klabel/toolchain"
)

// Engine starts fuzzers.
type Engine struct{ clang *toolchain.Clang }

// New makes an engine; clang is the one that Build was given.
func New(clang *toolchain.Clang) *Engine { return &Engine{clang} }

// Name is "fuzz".
func (e *Engine) Name() string { return "fuzz" }

// Version is that of clang, which libFuzzer comes with.
func (e *Engine) Version() string { return e.clang.Version }

// Close does nothing: no process outlives its run.
func (e *Engine) Close() error { return nil }

// Start starts a run. The program is one file that Build has made.
func (e *Engine) Start(ctx context.Context, p engine.Program, o engine.Options) (engine.Run, error) {
	if len(p.Files) != 1 {
		return nil, errors.New("the fuzzer runs one program, which Build has made")
	}
	for _, s := range o.Searchers {
		if s != ValueProfile {
			return nil, fault.Usagef("unknown searcher %q: the fuzzer has %s", s, ValueProfile)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	binary, err := filepath.Abs(p.Files[0])
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(o.OutputDir)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, fmt.Errorf("output directory: %w", err)
	}
	if o.Corpus == "" {
		o.Corpus = filepath.Join(dir, "corpus")
	}
	if o.Corpus, err = filepath.Abs(o.Corpus); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Corpus, 0o755); err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	r := &run{dir: dir, binary: binary, entry: p.Entry, options: o, began: time.Now(), done: make(chan struct{}),
		seeds: make(chan []byte, 256), silence: silent}
	r.ctx, r.stop = context.WithCancel(ctx)
	if o.Budget > 0 {
		r.ctx, r.stop = context.WithTimeout(ctx, starting+o.Budget)
	}
	for _, s := range o.Seeds {
		r.Seed(s)
	}
	go r.work()
	return r, nil
}
