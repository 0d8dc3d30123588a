#!/bin/sh
# Measures klabel and prints Markdown for docs/performance.md: the modes against
# each other, replays, covered(), the native engine, annotation, pruning. Takes
# from minutes to an hour with KLEE. All ratios come from one run.
#
#   BUDGET=60s CRITERIA=WM,MCC ./bench/run.sh > dist/bench.md
#
# Annotation is measured on the C files that ANNOTATE_FILES names, compiled with
# ANNOTATE_FLAGS:
#
#   ANNOTATE_FILES="sqlite3.c shell.c" ANNOTATE_FLAGS=-I. ./bench/run.sh
# Projects, a folder each in the one that PROJECTS names, are measured too.
set -eu
cd "$(dirname "$0")/.."
GO=${GO:-go}
BUDGET=${BUDGET:-60s}
CRITERIA=${CRITERIA:-WM}

section() { printf '\n## %s\n\n' "$1"; }
benchmark() { "$GO" test -run '^$' -bench "$1" -benchtime "${3:-2s}" "$2" | sed -n 's/^Benchmark/* /p'; }

section "Modes"
"$GO" run ./bench/modes -klabel ./klabel -budget "$BUDGET" -criteria "$CRITERIA"

section "Replays"
benchmark 'ForkServer|ProcessStart' ./replayer

section "covered()"
benchmark Covered ./runtime_c

section "Native engine, concrete instructions"
benchmark Concrete ./engine/native

section "Live states, native engine"
"$GO" run ./bench/native -bits 17 -memory 1024

section "Floating point, native engine"
for f in engine/native/testdata/floats/*.c; do
	out=$(mktemp -d)
	./klabel run "$f" --criteria MCC --engine native --budget 10s -o "$out/run" | sed -n "s/^ MCC/* $(basename "$f" .c):/p"
	rm -rf "$out"
done

section "Hard spots: which engine solves which"
./klabel compare bench/hard/programs --each --criteria MCC --engines native,fuzz,native+fuzz,auto --budget "$BUDGET" \
	--repeat "${REPEAT:-1}" --format markdown -o "$(mktemp -d)/hard"

section "Runs of the fuzzer"
benchmark Runs ./engine/fuzz

section "Store"
benchmark Verdicts ./store

section "Pruning: with and without"
"$GO" run ./bench/modes -klabel ./klabel -budget "$BUDGET" -criteria WM -columns klee:fused,klee:fused+prune,native:greybox,native:greybox+prune
"$GO" run ./bench/prune

if [ -n "${ANNOTATE_FILES:-}" ]; then
    section "Annotation"
    # shellcheck disable=SC2086
    "$GO" run ./bench/annotate -flags "${ANNOTATE_FLAGS:-}" $ANNOTATE_FILES
fi

if [ -n "${PROJECTS:-}" ]; then
    section "Projects"
    "$GO" run ./bench/projects -klabel ./klabel -budget "$BUDGET" "$PROJECTS"
fi
