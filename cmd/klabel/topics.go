package main

import "github.com/spf13/cobra"

// topics are help pages that belong to no command: `klabel help NAME`.
var topics = []struct{ name, short, text string }{
	{"exit-codes", "What the exit status means", `  0    done
  1    failed; the message says what, where and what to do. A run that had begun
       prints its summary, and keeps what was found, as an interrupted one does
  2    the command line or the project file is wrong
  3    the coverage is under --fail-under
  4    a needed tool is missing ('klabel doctor' says which and what to install)
  130  interrupted; what was found so far is kept in the output directory
`},
	{"label-syntax", "How a label is written in C", `A label is a statement at the place where its predicate is to be true:

  cov_label(EXPR, ID, "TAG");      or      pc_label(EXPR, ID, "TAG");

ID is a number, unique in the program. EXPR has no side effect. TAG names the
criterion ("CC", "WM ROR") and may be missing; further arguments are ignored.
More macro names are given with --label-macro. To let the file compile
elsewhere, guard the macro:

  #ifndef cov_label
  #define cov_label(...) do {} while (0)
  #endif

A label is covered by a test whose run reaches it with EXPR true and then ends
normally: what happens around undefined behaviour, a crash or a failed
assertion counts for nothing. 'klabel annotate' writes labels for you.
`},
	{"bitcode", "A project built by its own configure and make", `A program can be given as LLVM bitcode, labels and all. Three steps: label a
copy, build it by its own build system, run.

  klabel annotate src/*.c -I. --criteria CC,MCC --in-place-copy ../copy
  cd ../copy
  make CC=clang-14 AR=llvm-ar-14 RANLIB=llvm-ranlib-14 \
       CFLAGS="-g -O0 -Xclang -disable-O0-optnone -flto \
               -include $PWD/klabel-bitcode.h" \
       LDFLAGS="-fuse-ld=lld -Wl,--save-temps -Wl,--lto-O0" src/echo
  klabel run src/echo.0.0.preopt.bc -- --sym-args 0 2 4

(make clean first, if the project is built already.)

The linker leaves each program's bitcode beside it; extract-bc of wllvm and
gllvm (LLVM_COMPILER=clang make CC=wllvm ...) does the same. The clang is that
of KLEE ('klabel doctor'), or an older one. C and bitcode can be given together:
the library compiled, the program under test as C. Labels of bitcode are covered
by replays as always, but never called infeasible. docs/klee.md says more.
`},
	{"modes", "How labels are presented to the engine", `  ignore   labels vanish: the engine's own behaviour, the witness
  naive    if (p) nop();
  tight    if (choice) { assert(!p); silent_exit; }   replayed like every mode,
           but the engine never hears of it
  optim    tight, with covered(id) asked before the assertion (iterative label
           deletion): a label that a replay has confirmed costs nothing any more
  fused    one branch on 'choice & predicate', asked only while the label is
           neither covered nor pending. The default with KLEE
  greybox  the label is a question to the solver where it stands, without a
           fork. With the native engine alone, and its default
  fuzz     the fuzzer is told how far the predicate is from holding, and only
           while the label is open. With the fuzzer alone, and its only one

A test of tight, optim or fused ends at its label; what follows is left to
chance, and if that is an error the replay does not confirm it. fused and
greybox try such labels again, and at last follow paths to the program's end
for them (mode naive, for these labels alone).

ignore, naive, tight and optim are those of Berthier et al., "An Efficient
Black-Box Support of Advanced Coverage Criteria for KLEE", SAC 2023.
'klabel instrument FILE --mode M' prints the C that the engine gets.
`},
	{"project-file", "What klabel.toml may say", `klabel.toml holds what is tedious on a command line. 'klabel init' writes one.
It is looked for beside the first C file and, within a repository, in the
folders above; else in the working directory. --project FILE names one,
--no-project reads none. Every command that looks at a program uses it: run,
compare, replay, annotate, driver, instrument, labels, prune.

  files = ["src/*.c"]          the sources, when the command line names none
  args = ["--sym-arg", "4"]    of the program, when nothing stands after --
  include-dir = ["include"]    every other key is called like its flag
  criteria = ["MCC"]
  budget = "30s"

  [inputs]                     what drivers may assume of all functions
  max-array = 6

  [for.sort]                   and of one; criteria and a budget, too
  array = ["t:n"]

The command line wins over the file, a function's own value over the general
one; its lists of relations are joined with those of [inputs]. Paths are
relative to the file. --files of the command line is called label-files here.

output is the directory of runs: labels without an argument lists what is in it,
compare writes beside it (OUTPUT.compare), annotate and replay leave it alone.
prune does not take budget, max-memory and workers, nor annotate jobs.
`},
	{"output", "What the output directory holds", `  tests/            the suite: one .ktest a test, redundant ones dropped
  tests/c/          the same as a readable C program with a Makefile and files
                    for CMake and Meson; of several source files a folder each
  runtime-errors/   tests whose replay crashed, aborted or was stopped, each
                    with a .txt that gives the reason; they cover nothing
  NAME.labels       the status of every label, as CSV
  summary.json      the summary, as 'klabel run --format json' prints it
  test-suite/       the suite in Test-Comp's format, with --property
  klabel.db         labels, tests, verdicts and statuses; the truth
  live.view         what engines read while they run
  work/             labelled and instrumented C, the program and replay binary
  engine/           the engines' own output directories
  corpus/           what the fuzzer goes on from, a folder an entry

Running again in the same directory goes on from there, at no cost for what has
not changed ("resumed" in summary.json); --fresh starts anew.
`},
}

func addTopics(root *cobra.Command) {
	for _, t := range topics {
		root.AddCommand(&cobra.Command{Use: t.name, Short: t.short, Long: t.text})
	}
}
