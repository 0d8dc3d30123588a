package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"klabel/engine"
	"klabel/engine/playback"
	"klabel/ktest"
	"klabel/label"
	"klabel/report"
	"klabel/store"
	"klabel/store/storetest"
	"klabel/toolchain"
)

// These tests put a recording, or a shell script that misbehaves around one, in
// KLEE's place. No KLEE is needed.

// stage is a labelled program with an engine that plays its recording.
type stage struct {
	t         *testing.T
	job       Job
	tools     *toolchain.Tools
	obs       *notebook
	program   string
	recording string
}

// scene prepares the sample of a name. The script runs for every start of the
// engine that explores; in it "$out" is the output directory and `play N` plays
// the recording, N times as fast.
func scene(t *testing.T, sample string, mode engine.Mode, script string) *stage {
	t.Helper()
	dir := t.TempDir()
	program, recording, err := playback.Sample(sample, dir)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	player := filepath.Join(dir, "player", "klee")
	if err := os.Mkdir(filepath.Dir(player), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, player); err != nil {
		t.Fatal(err)
	}
	fake := filepath.Join(dir, "klee")
	text := fmt.Sprintf(`#!/bin/bash
export %s='%s'
case "$*" in *--version*|*--help*) exec '%s' "$@";; esac
rec='%s'
for a in "$@"; do case "$a" in --output-dir=*) out=${a#*=};; esac; done
echo $$ >> '%s/pids'
args=("$@")
play() { export %s=$1; exec '%s' "${args[@]}"; }
%s
`, playback.EnvRecording, recording, player, recording, dir, playback.EnvSpeed, player, script)
	if err := os.WriteFile(fake, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, tools: testTools(t, fake), obs: &notebook{}, program: program, recording: recording}
	s.job = Job{
		Sources: []Source{{Path: program}}, OutputDir: filepath.Join(dir, "out"), Engine: "klee", Mode: mode,
		NoRandom: true, Prune: PruneNever, NoSanitizers: true, Workers: 2, Budget: 30 * time.Second,
		TestTimeout: unhurried,
	}
	t.Cleanup(func() { s.nobodyLeft(filepath.Join(dir, "pids")) })
	return s
}

// rewrite edits the program before it runs.
func (s *stage) rewrite(edit func(string) string) {
	s.t.Helper()
	text, err := os.ReadFile(s.program)
	if err == nil {
		err = os.WriteFile(s.program, []byte(edit(string(text))), 0o666)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// only leaves the labels with these numbers in the program.
func (s *stage) only(ids ...label.ID) {
	call := regexp.MustCompile(`(?m)^\s*cov_label\(.*, (\d+), "[^"]*"\);$`)
	s.rewrite(func(text string) string {
		return call.ReplaceAllStringFunc(text, func(line string) string {
			n, _ := strconv.Atoi(call.FindStringSubmatch(line)[1])
			if slices.Contains(ids, label.ID(n)) {
				return line
			}
			return ""
		})
	})
}

func (s *stage) run(ctx context.Context) (report.Summary, error) {
	s.t.Helper()
	sum, err := Run(ctx, s.job, s.tools, s.obs)
	if s.t.Failed() || err != nil {
		s.t.Logf("notes:\n%s", s.obs.text())
	}
	s.check(sum)
	return sum, err
}

func (s *stage) mustRun(ctx context.Context) report.Summary {
	s.t.Helper()
	sum, err := s.run(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	return sum
}

// check holds what must be true after every run, however it ended.
func (s *stage) check(sum report.Summary) {
	s.t.Helper()
	if _, err := os.Stat(filepath.Join(s.job.OutputDir, "klabel.db")); err != nil {
		return // refused before it began
	}
	snap := s.snapshot()
	if sum.Labels.Total != 0 && sum.Labels.Covered != storetest.With(snap, label.Covered) {
		s.t.Errorf("the summary says %d covered, the store %d", sum.Labels.Covered, storetest.With(snap, label.Covered))
	}
	parts, _ := filepath.Glob(filepath.Join(s.job.OutputDir, "*", "*.part"))
	if len(parts) > 0 {
		s.t.Errorf("left behind: %q", parts)
	}
	tests, _ := filepath.Glob(filepath.Join(s.job.OutputDir, "tests", "*.ktest"))
	covered := map[label.ID]bool{}
	for _, f := range tests {
		if _, err := ktest.ReadFile(f); err != nil {
			s.t.Errorf("%s: %v", f, err)
		}
		for _, t := range snap.Tests {
			if t.File == f {
				for _, id := range t.Verdict.Hits {
					covered[id] = true
				}
			}
		}
	}
	for _, l := range snap.Labels {
		if (l.Status == label.Covered) != covered[l.ID] {
			s.t.Errorf("label %d is %v, and the tests kept say otherwise", l.ID, l.Status)
		}
	}
}

func (s *stage) snapshot() *store.Snapshot {
	s.t.Helper()
	st, err := store.Open(s.job.OutputDir, store.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	defer st.Close()
	storetest.Check(s.t, st)
	snap, err := st.Snapshot()
	if err != nil {
		s.t.Fatal(err)
	}
	return snap
}

func (s *stage) covered() []label.ID {
	var out []label.ID
	for _, l := range s.snapshot().Labels {
		if l.Status == label.Covered {
			out = append(out, l.ID)
		}
	}
	return out
}

// nobodyLeft checks that every engine that was started is gone.
func (s *stage) nobodyLeft(pids string) {
	text, err := os.ReadFile(pids)
	if err != nil {
		return // none was started
	}
	for _, line := range strings.Fields(string(text)) {
		pid, _ := strconv.Atoi(line)
		if err := syscall.Kill(-pid, 0); !errors.Is(err, syscall.ESRCH) {
			s.t.Errorf("process group %d is left behind (%v)", pid, err)
		}
	}
}

func (s *stage) engineFiles(pattern string) []string {
	files, _ := filepath.Glob(filepath.Join(s.job.OutputDir, "engine", "*", pattern))
	return files
}

func TestPlayedToTheEnd(t *testing.T) {
	t.Parallel()
	s := scene(t, "triangle-fused", engine.Fused, "play 8")
	sum := s.mustRun(t.Context())
	if sum.Labels.Covered != 24 || sum.Labels.Total != 24 || sum.Tests.Generated != 13 || sum.Interrupted {
		t.Errorf("%+v %+v", sum.Labels, sum.Tests)
	}
	if sum.Tests.Diverged+sum.Tests.RuntimeErrors != 0 || sum.Tests.Kept == 0 || sum.Tests.Kept > 12 {
		t.Errorf("%+v", sum.Tests)
	}
	// Once more: nothing is left to do, and no engine is started.
	again := s.mustRun(t.Context())
	if again.Labels.Covered != 24 || again.Resumed == nil || !again.Resumed.Nothing || len(s.engineFiles("info")) != 1 {
		t.Errorf("again: %+v %+v", again.Labels, again.Resumed)
	}
	if !strings.Contains(s.obs.text(), "nothing has changed") {
		t.Errorf("nothing is said: %q", s.obs.text())
	}
	// Anew: everything happens again.
	s.job.Fresh = true
	if anew := s.mustRun(t.Context()); anew.Tests.Generated != 13 || anew.Labels.Covered != 24 {
		t.Errorf("anew: %+v %+v", anew.Labels, anew.Tests)
	}
}

// A test of the plain kind counts in naive mode, errors or not in the engine.
func TestPlayedNaive(t *testing.T) {
	t.Parallel()
	s := scene(t, "tag-naive", engine.Naive, "play 8")
	s.job.KeepAll = true
	sum := s.mustRun(t.Context())
	if sum.Labels.Covered != 30 || sum.Tests.Generated != 22 || sum.Labels.Infeasible != 0 {
		t.Errorf("%+v %+v", sum.Labels, sum.Tests)
	}
}

func TestBudgetEnds(t *testing.T) {
	t.Parallel()
	s := scene(t, "power-optim", engine.Optim, "play 0.3")
	s.job.Budget = time.Second
	sum := s.mustRun(t.Context())
	if sum.Interrupted || sum.Engine.Complete || sum.Labels.Covered == 0 || sum.Tests.Generated >= 9 {
		t.Errorf("%+v %+v %+v", sum.Labels, sum.Tests, sum.Engine)
	}
	if sum.Engine.Seconds > 4 {
		t.Errorf("a budget of 1 s took %.1f s", sum.Engine.Seconds)
	}
}

// In a live mode the engine is stopped when no label is left; the recording
// would go on for six seconds.
func TestStopsWhenAllIsCovered(t *testing.T) {
	t.Parallel()
	s := scene(t, "power-optim", engine.Optim, "play 1")
	// Failed labels that the program does not have are no reason to stop.
	s.only(1, 2, 3, 4)
	sum := s.mustRun(t.Context())
	if sum.Labels.Total != 4 || sum.Labels.Covered != 4 || sum.Engine.Seconds > 4 || sum.Interrupted {
		t.Errorf("%+v %+v", sum.Labels, sum.Engine)
	}
	if len(sum.Notes) > 0 {
		t.Errorf("what was left out does not matter here: %q", sum.Notes)
	}
}

// tight is a full exploration by its definition: it goes on.
func TestTightGoesOn(t *testing.T) {
	t.Parallel()
	s := scene(t, "power-optim", engine.Tight, "play 4")
	s.only(1, 2, 3, 4)
	sum := s.mustRun(t.Context())
	if sum.Labels.Covered != 4 || sum.Tests.Generated != 9 {
		t.Errorf("%+v %+v", sum.Labels, sum.Tests)
	}
}

func TestInterruptedGoesOn(t *testing.T) {
	t.Parallel()
	s := scene(t, "power-optim", engine.Optim, `[ -e "${out%/engine/*}/second" ] && play 10; play 0.3`)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	s.obs.onProgress = func(p Progress) {
		if p.Covered > 0 {
			interrupt()
		}
	}
	begin := time.Now()
	sum := s.mustRun(ctx)
	if !sum.Interrupted || sum.Labels.Covered == 0 {
		t.Fatalf("interrupted %v, %+v", sum.Interrupted, sum.Labels)
	}
	if d := time.Since(begin); d > 2*time.Minute {
		t.Errorf("took %s", d)
	}
	if read, err := ReadSummary(s.job.OutputDir); err != nil || !read.Interrupted || read.Labels != sum.Labels {
		t.Errorf("summary.json: %+v, %v", read.Labels, err)
	}
	first := s.covered()
	if err := os.WriteFile(filepath.Join(s.job.OutputDir, "second"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s.obs.onProgress = nil
	sum = s.mustRun(t.Context())
	if sum.Interrupted || sum.Labels.Covered != 26 {
		t.Errorf("going on: %+v", sum.Labels)
	}
	now := s.covered()
	for _, id := range first {
		if !slices.Contains(now, id) {
			t.Errorf("label %d was covered and is no more", id)
		}
	}
}

// An interruption in any stage of work ends soon, without an error of its own, or with
// one that is the interruption's.
func TestInterruptedInEveryStage(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"reading", "compiling", "sampling", "exploring"} {
		s := scene(t, "triangle-fused", engine.Fused, "play 1")
		s.job.NoRandom = at != "sampling"
		if at == "sampling" { // something must be left for the engine
			s.rewrite(func(text string) string {
				return strings.Replace(text, "cov_label(same == 3, 23,", "cov_label(same == 77, 23,", 1)
			})
		}
		ctx, interrupt := context.WithCancel(t.Context())
		s.obs.onStage = func(name string) {
			if name == at {
				interrupt()
			}
		}
		begin := time.Now()
		sum, err := s.run(ctx)
		interrupt()
		if err != nil && !errors.Is(err, context.Canceled) && !strings.Contains(err.Error(), "interrupt") &&
			!strings.Contains(err.Error(), "cancel") {
			t.Errorf("%s: %v", at, err)
		}
		t.Logf("%s: error %v, %d covered, after %s", at, err, sum.Labels.Covered,
			time.Since(begin).Round(time.Millisecond))
		if err == nil && !sum.Interrupted {
			t.Errorf("%s: the summary does not know of the interruption", at)
		}
		if d := time.Since(begin); d > 2*time.Minute {
			t.Errorf("%s: took %s", at, d)
		}
	}
}

// Tests that no replay confirms do not count, and are not asked for without end.
func TestRefusedTests(t *testing.T) {
	t.Parallel()
	s := scene(t, "power-optim", engine.Optim, "play 8")
	s.rewrite(func(text string) string {
		// The recording was made with another predicate.
		return regexp.MustCompile(`cov_label\(.*, 1, "WM ROR"\)`).ReplaceAllString(text, `cov_label(x == 123456789 && left < -5, 1, "WM ROR")`)
	})
	sum := s.mustRun(t.Context())
	snap := s.snapshot()
	if l := snap.Labels[0]; l.ID != 1 || l.Status != label.Unknown {
		t.Errorf("label %d is %v", l.ID, l.Status)
	}
	if sum.Labels.Covered != 25 {
		t.Errorf("%+v", sum.Labels)
	}
}

// The same label again and again, with tests that do not reach it.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	s := scene(t, "power-optim", engine.Optim, `mkdir "$out"; printf 'KLEE\nStarted: now\n' >"$out/info"
for i in {1..60}; do o=$(printf %03o $i) n=$(printf test%06d $i)
  printf 'KTEST\0\0\0\3\0\0\0\1\0\0\0\1p\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\1x\0\0\0\4\0\0\0\'$o'\0\0\0\1n\0\0\0\4\0\0\0\0' >"$out/$n.ktest"
  printf 'Error: ASSERTION FAIL: cov_label 29\nFile: p.c\n' >"$out/$n.assert.err"
done
printf 'Finished: now\n' >>"$out/info"`)
	sum := s.mustRun(t.Context())
	if !strings.Contains(s.obs.text(), "label 29 is given up") {
		t.Errorf("notes: %q", s.obs.text())
	}
	if sum.Tests.Generated != 60 {
		t.Errorf("%+v", sum.Tests)
	}
}

// Half files, foreign files, files touched again: a note for each that is no
// test, and the rest as if nothing had been.
func TestUntidyEngine(t *testing.T) {
	t.Parallel()
	s := scene(t, "triangle-fused", engine.Fused, `trap '' INT TERM # the last label is covered before the last file is there
mkdir "$out"; cp "$rec"/info "$rec"/messages.txt "$out"
for f in "$rec"/*.ktest; do
  b=$(basename "$f" .ktest)
  head -c 20 "$f" >"$out/$b.ktest"; sleep 0.05; cat "$f" >"$out/$b.ktest"
  [ -e "$rec/$b.assert.err" ] && cp "$rec/$b.assert.err" "$out"
  touch "$out"/$b.*; cp "$f" "$out/$b.ktest"
done
head -c 30 "$rec/test000001.ktest" >"$out/test000090.ktest"; echo 'Error: ASSERTION FAIL: cov_label 3' >"$out/test000090.assert.err"
: >"$out/test000091.ktest"
echo 'not a test' >"$out/foreign.ktest"
mkdir "$out/test000092.ktest"
mv "$out/test000001.ktest" "$out/x"; sleep 0.3; mv "$out/x" "$out/test000001.ktest"; touch "$out"/*
sleep 0.3`)
	sum := s.mustRun(t.Context())
	if sum.Labels.Covered != 24 || sum.Tests.Generated != 13 {
		t.Errorf("%+v %+v", sum.Labels, sum.Tests)
	}
	for _, name := range []string{"test000090.ktest", "test000091.ktest", "foreign.ktest"} {
		if strings.Count(s.obs.text(), name+" is skipped") != 1 {
			t.Errorf("%s is to be mentioned once: %q", name, s.obs.text())
		}
	}
}

// An engine that crashes after some tests: an error that says so, and what was
// found is kept.
func TestCrashMidway(t *testing.T) {
	t.Parallel()
	s := scene(t, "power-optim", engine.Optim, `(play 1) & p=$!; sleep 2; kill -KILL $p; wait $p; kill -SEGV $$`)
	sum, err := s.run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "KLEE crashed") {
		t.Fatalf("error %v, %+v", err, sum.Labels)
	}
	if n := len(strings.Split(err.Error(), "\n")); n > 2 {
		t.Errorf("%d lines: %v", n, err)
	}
	if sum.Labels.Covered == 0 || len(s.covered()) != sum.Labels.Covered {
		t.Errorf("%+v", sum.Labels)
	}
}

func TestBadEngines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, script, want string }{
		{"nothing written", "exit 0", "without writing anything"},
		{"refuses", `echo 'KLEE: ERROR: Unknown command line argument' >&2; exit 1`, "exit status 1"},
		{"killed", `mkdir "$out"; kill -KILL $$`, "KLEE was killed"},
	} {
		s := scene(t, "triangle-fused", engine.Fused, c.script)
		_, err := s.run(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		} else if !strings.Contains(err.Error(), "hint: ") || len(strings.Split(err.Error(), "\n")) != 2 {
			t.Errorf("%s: no two lines with a hint: %v", c.name, err)
		}
	}
}

// An engine that ignores every request, with a child: both are gone seconds
// after the budget.
func TestDeafEngine(t *testing.T) {
	t.Parallel()
	s := scene(t, "triangle-fused", engine.Fused, `trap '' INT TERM HUP; mkdir "$out"; cp "$rec"/info "$out"
(trap '' INT TERM; exec sleep 9000) & sleep 9000; sleep 9000`)
	s.job.Budget = time.Second
	begin := time.Now()
	sum, err := s.run(t.Context())
	if d := time.Since(begin); d > 5*time.Minute {
		t.Errorf("took %s", d)
	}
	t.Logf("%s, %v, %+v", time.Since(begin), err, sum.Notes)
}

// One engine of a portfolio fails: the others do the job.
func TestPortfolioLosesOne(t *testing.T) {
	t.Parallel()
	s := scene(t, "triangle-fused", engine.Fused, `case $out in *-2) echo 'KLEE: ERROR: out of luck' >&2; exit 1;; esac; play 4`)
	s.job.Portfolio = 3
	sum := s.mustRun(t.Context())
	if sum.Labels.Covered != 24 || !strings.Contains(s.obs.text(), "out of luck") {
		t.Errorf("%+v, %q", sum.Labels, s.obs.text())
	}
	// All engines write the same tests: each is replayed once.
	if sum.Tests.Kept > 12 {
		t.Errorf("%+v", sum.Tests)
	}
}

// The output directory becomes unwritable under way.
func TestTestsFolderVanishes(t *testing.T) {
	t.Parallel()
	s := scene(t, "power-optim", engine.Optim, `sleep 0.2; play 1`)
	s.obs.onStage = func(name string) {
		if name == "exploring" {
			os.RemoveAll(filepath.Join(s.job.OutputDir, "tests"))
		}
	}
	_, err := Run(t.Context(), s.job, s.tools, s.obs)
	if err == nil || !strings.Contains(err.Error(), "tests") {
		t.Errorf("error %v", err)
	}
}

// Going on with a changed program: what still holds is kept, what does not is
// taken back.
func TestProgramChanges(t *testing.T) {
	t.Parallel()
	s := scene(t, "triangle-fused", engine.Fused, "play 8")
	s.mustRun(t.Context())
	s.rewrite(func(text string) string {
		return strings.Replace(text, "cov_label(a == b, 13,", "cov_label(a == b && a == 77777, 13,", 1)
	})
	sum := s.mustRun(t.Context())
	if sum.Labels.Covered != 23 || !strings.Contains(s.obs.text(), "the program has changed") {
		t.Errorf("%+v %q", sum.Labels, s.obs.text())
	}
	s.only(1, 2, 3)
	if sum = s.mustRun(t.Context()); sum.Labels.Total != 3 || sum.Labels.Covered != 3 {
		t.Errorf("%+v", sum.Labels)
	}
}
