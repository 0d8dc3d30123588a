// Package prune proves labels infeasible, duplicate or subsumed.
//
// It exists because labels that no input can cover eat an engine's budget, and
// labels that say the same as others blur what a coverage ratio means. The
// methods are those of two papers: LUncov (Bardin et al., ICST 2015: value
// analysis, weakest precondition, and the two combined) and LClean (Marcozzi et
// al., ICSE 2018: three steps over co-reached labels), with Frama-C, clang's
// optimiser and klabel's own engine as provers.
//
// It promises to be sound for what a replay can show: a label is called
// infeasible only if no run that ends normally covers it, with the semantics
// that engine and replay have (signed overflow wraps, an uninitialised variable
// holds anything, division by zero and access outside an object end the run).
// Where a prover assumes more than that, its answer is not used: each method
// lists what makes it stand back. One label's failure leaves that label
// unknown and the others unharmed.
//
// Limits: statuses are kept by package store, which also notices
// when a test contradicts one.
package prune

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"klabel/csource"
	"klabel/label"
	"klabel/toolchain"
)

// Method is a way to prove.
type Method string

// The methods, cheap ones first.
const (
	Compiler Method = "compiler" // what clang's optimiser removes
	Eva      Method = "eva"      // Frama-C's value analysis of the whole program
	EvaWP    Method = "eva+wp"   // WP with what Eva knows of the values at functions and labels
	WP       Method = "wp"       // Frama-C's weakest precondition, a function at a time
	Native   Method = "native"   // klabel's engine: complete exploration, of a function or the program
)

// AllMethods lists the methods in the order in which they run, as measured on
// the examples: what answers all labels at once first, what has a price for
// each label last.
var AllMethods = []Method{Compiler, Native, Eva, EvaWP, WP}

// Pairs is the name under which Result.Methods counts steps 2 and 3. They come
// last, because a label that cannot be covered implies every other.
const Pairs Method = "pairs"

// ParseMethods reads a list such as "eva,wp,eva+wp".
func ParseMethods(s string) ([]Method, error) {
	var out []Method
	for _, w := range strings.Split(s, ",") {
		w = strings.TrimSpace(w)
		if w == "" {
			continue
		}
		if w == "all" {
			return slices.Clone(AllMethods), nil
		}
		if !slices.Contains(AllMethods, Method(w)) {
			return nil, fmt.Errorf("unknown method %q: want compiler, eva, wp, eva+wp or native", w)
		}
		out = append(out, Method(w))
	}
	return out, nil
}

// Explore has klabel's own engine explore a labelled unit that has a main
// function, until every path is explored or the context ends. A package that
// knows engine and instrumentation provides it.
type Explore func(ctx context.Context, u *csource.Unit, dir string) (Exploration, error)

// Exploration is what an exploration proved. Infeasible counts only if it was
// complete; the engine must leave out labels that it gave up on.
type Exploration struct {
	Complete   bool
	Infeasible []label.ID
	Note       string // why it is not complete
}

// Options say what to prove and how.
type Options struct {
	Units []*csource.Unit // the whole program, labelled; main is in one of them
	// Open says that a way into the program may be any of its functions, called
	// with anything, while every variable holds anything: a library, a program that
	// calls what is not there, or one with drivers of which the units know nothing. What is proved then holds in
	// every context. Otherwise the units are the whole program and it starts with
	// main. Variables keep their values in either case if they are const, or
	// static and never written in the unit nor seen through a pointer.
	Open bool
	// Explored says that somebody else has klabel's engine explore the program and its functions:
	// Native only looks at predicates.
	Explored bool
	// Alone asks Native of predicates alone, whatever stands around them: what is proved then holds in every
	// state, memory that was overwritten included.
	Alone   bool
	Methods []Method // nil: all that the tools below allow

	Clang   *toolchain.Clang // needed by compiler
	FramaC  *toolchain.Tool  // needed by eva, wp, eva+wp
	Explore Explore          // needed by native

	CSource  csource.Options // how to parse texts that are made here (native's drivers)
	WorkDir  string          // for files; "": a directory that is removed again
	CacheDir string          // results are kept there; "": nowhere
	Budget   time.Duration   // for all; 0: 60 s
	Goal     time.Duration   // for one goal of a prover; 0: 1 s
	MemoryMB int             // of a prover's process; 0: 4000
	Workers  int             // processes at a time; 0: 2
	MaxPairs int             // pairs of labels in step 3; 0: 20000; negative: none
	Quick    bool            // of one method only what takes seconds, and no pairs

	// Tests that ended normally, as the labels that each of them hit: labels
	// covered are not proved infeasible, pairs that a test tells apart are not
	// tried. Skip, if given, is asked too, while provers run.
	Hits [][]label.ID
	Skip func(label.ID) bool

	Found func(Finding) // called for each finding as it is made, never twice at once
	Note  func(string)  // remarks for people; may be called at the same time as Found
}

// Finding is a label that was proved to be something.
type Finding struct {
	ID      label.ID
	Status  label.Status // Infeasible, Duplicate or Subsumed
	Of      label.ID     // Duplicate, Subsumed: the label it stands behind
	Method  Method
	Step    int // of LClean: 1 infeasible, 2 trivial duplicates, 3 pairs
	Text    string
	Seconds float64 // of the prover's run, shared among what it proved
	Cached  bool
}

// Result is what a pruning came to.
type Result struct {
	Findings []Finding
	Labels   int // looked at
	Pairs    int // of step 3, tried
	LeftOut  int // pairs over Options.MaxPairs
	Seconds  float64
	Methods  []MethodStats
	Notes    []string
}

// MethodStats are the totals of one method.
type MethodStats struct {
	Method  Method
	Found   int // first proved by it
	Seconds float64
	Ran     bool
	Note    string // why it did not run, or gave up
}

// Run proves what it can within the budget. It fails only if nothing at all
// can be done: a method that fails is a note.
func Run(ctx context.Context, o Options) (*Result, error) {
	start := time.Now()
	o.fill()
	if len(o.Units) == 0 {
		return nil, errors.New("prune: no program given")
	}
	if o.WorkDir == "" {
		dir, err := os.MkdirTemp("", "klabel-prune-")
		if err != nil {
			return nil, fmt.Errorf("prune: no place for files: %w", err)
		}
		defer os.RemoveAll(dir)
		o.WorkDir = dir
	} else if err := os.MkdirAll(o.WorkDir, 0o777); err != nil {
		return nil, fmt.Errorf("prune: no place for files: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, o.Budget)
	defer cancel()
	p, err := newProgram(&o)
	if err != nil {
		return nil, err
	}
	j := &job{Options: &o, p: p, done: map[label.ID]label.Status{}, covered: map[label.ID]bool{},
		always: map[label.ID]Method{}, unread: map[*csource.Unit]bool{},
		hitBy: testsByLabel(o.Hits), res: &Result{Labels: len(p.labels)}}
	for _, t := range o.Hits {
		for _, id := range t {
			j.covered[id] = true
		}
	}
	for _, m := range AllMethods {
		if slices.Contains(o.Methods, m) {
			// A share of what is left for each, so that one that finds no end
			// leaves the others their turn.
			slice, done := context.WithTimeout(ctx, time.Until(deadline(ctx))*o.share(m)/100)
			j.runMethod(slice, m)
			done()
		}
	}
	j.runMethod(ctx, Pairs)
	j.res.Seconds = time.Since(start).Seconds()
	return j.res, nil
}

// shares are how much of the time that is left a method may take, in percent.
var shares = map[Method]time.Duration{Compiler: 60, Native: 30, Eva: 60, EvaWP: 40, WP: 60}

func (o *Options) share(m Method) time.Duration {
	if o.Quick {
		return 100 // nobody comes after it
	}
	return shares[m]
}

// pairShare is how much of what is left at the end WP may take for steps 2 and 3.
const pairShare = 50

func (o *Options) fill() {
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	num := func(d *int, v int) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.Budget, time.Minute)
	def(&o.Goal, time.Second)
	num(&o.MemoryMB, 4000)
	num(&o.Workers, 2)
	if o.Quick {
		o.MaxPairs = -1
	}
	num(&o.MaxPairs, 20000)
	if o.Methods == nil {
		o.Methods = AllMethods
	}
}
