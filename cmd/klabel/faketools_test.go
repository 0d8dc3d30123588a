package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"klabel/fault"
	"klabel/label"
)

// A fake tool is a script that has the real one in $REAL. What klabel asks of
// clang stands in $kind: version, link, object, text (to a file) or other; $out is
// the file that it is to write.
const fakeHead = `#!/bin/sh
kind=other out= last=
for a; do
	case $a in --version|-version) kind=version;; -c) kind=object;; -S) kind=text;; esac
	[ "$last" = -o ] && out=$a
	last=$a
done
[ -n "$out" ] && [ $kind = other ] && [ "$out" != - ] && kind=link
case "$*" in *-fsyntax-only*|*'-###'*|*-dumpmachine*) kind=other;; esac
[ $kind = version ] || (: > $0.ran) 2>/dev/null
`

// fakeTool is one way for a tool to be wrong.
type fakeTool struct {
	tool, name, body string
	codes            []int // exit statuses that klabel may end with
	stop             bool  // klabel is asked to end once the tool hangs
	soak             bool  // it takes too long for every day
	proves           bool  // it is asked for proofs, before an engine covers what it may lose
	says             string
}

// The bodies; what they do not end goes to the real tool.
const (
	hangs  = ": > $0.hangs; sleep 4711 & wait"
	stays  = "(trap '' TERM HUP; exec sleep 4711) & "
	floods = `yes "$0 says the same thing again and again" | head -c 3000000000; `
)

var (
	failed  = []int{1}
	stopped = []int{fault.Interrupted}
	either  = []int{0, 1}
)

var fakeTools = []fakeTool{
	{tool: "clang", name: "empty output", codes: failed,
		body: `[ $kind = version ] || { [ -n "$out" ] && [ "$out" != - ] && : > "$out"; exit 0; }`},
	{tool: "clang", name: "empty text for provers", codes: either, proves: true,
		body: `case "$out" in */prune/*) : > "$out"; exit 0;; esac`},
	{tool: "clang", name: "half of what the optimiser leaves", codes: either, proves: true,
		body: `case "$out" in */prune/*.again.ll) $REAL "$@" || exit; n=$(wc -l < "$out")
			head -n $((n / 2)) "$out" > "$out.half"; mv "$out.half" "$out"; exit 0;; esac`},
	{tool: "clang", name: "empty text", codes: either,
		body: `[ $kind != text ] || { [ "$out" = - ] || : > "$out"; exit 0; }`},
	{tool: "clang", name: "no output", codes: failed, soak: true, body: `[ $kind = version ] || exit 0`},
	{tool: "clang", name: "garbage", codes: failed,
		body: `[ "$out" != - ] || out=/dev/stdout
			[ $kind = version ] || [ -z "$out" ] || { head -c 5000 /dev/urandom > "$out"; exit 0; }`},
	{tool: "clang", name: "truncated object", codes: failed, soak: true,
		body: `[ $kind != object ] || { $REAL "$@" || exit; truncate -s 1000 "$out"; exit 0; }`},
	{tool: "clang", name: "truncated text", codes: either, soak: true,
		body: `[ $kind != text ] || { $REAL "$@" || exit; truncate -s -2000 "$out"; exit 0; }`},
	{tool: "clang", name: "truncated program", codes: failed, soak: true,
		body: `[ $kind != link ] || { $REAL "$@" || exit; truncate -s 20000 "$out"; exit 0; }`},
	{tool: "clang", name: "another program", codes: failed, soak: true,
		body: `[ $kind != link ] || { cp /bin/true "$out"; exit 0; }`},
	{tool: "clang", name: "hangs", codes: stopped, stop: true, body: `[ $kind = version ] || { ` + hangs + `; }`},
	{tool: "clang", name: "hangs when linking", codes: stopped, stop: true, soak: true,
		body: `[ $kind != link ] || { ` + hangs + `; }`},
	{tool: "clang", name: "hangs when engines' programs are compiled", codes: stopped, stop: true, soak: true,
		body: `[ $kind != text ] || { ` + hangs + `; }`},
	{tool: "clang", name: "hangs over C tests", codes: []int{0, fault.Interrupted}, stop: true, soak: true,
		body: `case "$*" in *ctest*|*tests/c/*) ` + hangs + `;; esac`},
	{tool: "clang", name: "says no version", codes: stopped, stop: true, soak: true,
		body: `[ $kind != version ] || { ` + hangs + `; }`},
	{tool: "clang", name: "forks and stays", codes: []int{0}, soak: true,
		body: `(trap '' TERM HUP; sleep 4711) >/dev/null 2>&1 &`},
	{tool: "clang", name: "stays and holds the pipes", codes: either, soak: true, body: stays},
	{tool: "clang", name: "prints without end", codes: failed, soak: true, says: "output is larger than",
		body: `case " $* " in *" -E "*) ` + floods + `;; esac`},
	{tool: "clang", name: "complains without end", codes: failed, soak: true,
		body: `[ $kind = version ] || { { ` + floods + `} >&2; exit 1; }`},
	{tool: "clang", name: "crashes", codes: failed, body: `[ $kind = version ] || kill -SEGV $$`},
	// It has the user's rights: klabel dies, and nothing else does.
	{tool: "clang", name: "kills its parent", codes: []int{-1}, soak: true, body: `[ $kind != link ] || kill -9 $PPID`},
	{tool: "clang", name: "is replaced", codes: either, soak: true,
		body: `n=$(cat $0.n 2>/dev/null || echo 0); echo $((n+1)) > $0.n; ` +
			`[ $n -lt 9 ] || { [ -n "$out" ] && : > "$out"; exit 0; }`},
	{tool: "clang", name: "goes away", codes: []int{1, fault.ToolMissing}, soak: true,
		body: `[ $kind != object ] || rm -f "$0"`},
	{tool: "clang", name: "of a version that nobody knows", codes: []int{0}, soak: true,
		// Before 16 a version decides which options there are.
		body: `[ $kind != version ] || { case "$($REAL --version)" in *"version 1"[0-5]*) v=15.99;; *) v=99.7;; esac
			echo "clang version $v.3"; exit; }`},
	{tool: "clang", name: "of no version", codes: []int{fault.ToolMissing}, says: "does not say that it is clang",
		body: `[ $kind != version ] || { echo "clang version many"; exit; }`},

	{tool: "frama-c", name: "empty output", codes: []int{0}, soak: true, body: `exit 0`},
	{tool: "frama-c", name: "garbage", codes: []int{0}, soak: true,
		body: `head -c 100000 /dev/urandom; for a; do case $a in *.csv) ` +
			`head -c 9000 /dev/urandom > "$a";; esac; done; exit 0`},
	{tool: "frama-c", name: "crashes", codes: []int{0}, soak: true, body: `kill -SEGV $$`},
	{tool: "frama-c", name: "hangs", codes: []int{0}, soak: true, body: hangs},
	{tool: "frama-c", name: "hangs, and klabel is stopped", codes: []int{0, fault.Interrupted}, stop: true, soak: true,
		body: hangs},
	{tool: "frama-c", name: "forks and stays", codes: []int{0}, soak: true, body: stays},
	{tool: "frama-c", name: "prints without end", codes: []int{0}, soak: true, body: floods + "exit 0"},
	{tool: "frama-c", name: "kills its parent", codes: []int{0, -1}, soak: true, body: `kill -9 $PPID`},

	{tool: "klee", name: "empty output", codes: failed, soak: true, body: kleeHead + `exit 0`},
	{tool: "klee", name: "garbage tests", codes: either, soak: true, says: "is skipped", body: kleeHead +
		`for i in 1 2 3; do head -c 300 /dev/urandom > "$dir/test00000$i.ktest"; done; echo done > "$dir/info"; exit 0`},
	{tool: "klee", name: "hangs", codes: either, soak: true, body: kleeHead + kleeHangs},
	{tool: "klee", name: "hangs, and klabel is stopped", codes: stopped, stop: true, soak: true,
		body: kleeHead + kleeHangs},
	{tool: "klee", name: "forks and stays", codes: either, soak: true, body: kleeHead + stays + `exit 0`},
	{tool: "klee", name: "prints without end", codes: either, soak: true, body: kleeHead + floods + `exit 0`},
	{tool: "klee", name: "kills its parent", codes: []int{0, 1, -1}, soak: true,
		body: kleeHead + `kill -9 $PPID; exit 0`},
	{tool: "klee", name: "a version that nobody knows", codes: []int{1, fault.ToolMissing}, soak: true,
		body: `case "$*" in *version*) echo "KLEE 99.0"; echo "LLVM version 77.0.0";; esac; exit 0`},
}

// KLEE can write its own directory alone.
const kleeHangs = `: > "$dir/hangs"; sleep 4711 & wait`

// kleeHead answers what is asked of KLEE first, and makes its directory.
const kleeHead = `case "$*" in *--version*) printf 'KLEE 3.1\nLLVM version 14.0.0\n'; exit;; *--help*) exit;; esac
for a; do case $a in --output-dir=*) dir=${a#*=}; mkdir -p "$dir";; esac; done
`

// Whatever a tool does, klabel claims nothing false, ends with an exit status that
// it documents and one or two lines, does not hang, leaves no process, and does the
// job in the same directory once the tool is good.
func TestFakeTools(t *testing.T) {
	needClang(t)
	for i, f := range fakeTools {
		t.Run(f.tool+" "+f.name, func(t *testing.T) {
			if testing.Short() && i%2 != 0 {
				t.Skip("takes time: without -short")
			}
			if f.soak && soak(1) == 0 {
				t.Skip("takes time: set KLABEL_SOAK")
			}
			tryFake(t, f)
		})
	}
}

func tryFake(t *testing.T, f fakeTool) {
	real, err := exec.LookPath(f.tool)
	if err != nil && f.tool == "clang" {
		real, err = exec.LookPath("clang-14")
	}
	if err != nil && f.tool == "frama-c" {
		t.Skip("SKIPPED: there is no " + f.tool)
	}
	dir := t.TempDir()
	fake := filepath.Join(dir, "fake"+f.tool)
	file, out, temp := filepath.Join(dir, "f.c"), filepath.Join(dir, "out"), filepath.Join(dir, "tmp")
	script := fakeHead + f.body + "\nexec $REAL \"$@\"\n"
	for name, text := range map[string]string{fake: script, file: soaked} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", file, "-o", out, "--budget", "3s", "--no-random"}
	if f.tool != "frama-c" && !f.proves { // without sanitizers nothing is pruned
		args = append(args, "--no-sanitizers")
	}
	engine := "native"
	switch f.tool {
	case "klee":
		engine = "klee"
		args = append(args, "--no-prune")
	case "frama-c":
		// Beside the engine, or after another prover, it might come too late to be asked.
		args = append(args, "--prune", "--methods", "eva", "--budget", "8s")
	}
	if f.proves {
		args = append(args, "--prune", "--methods", "compiler")
	}
	args = append(args, "--engine", engine)
	cmd, stdout, stderr := klabelCmd(append(args, "--"+f.tool, fake)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "REAL="+real, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	hanging := func() bool {
		marks, _ := filepath.Glob(filepath.Join(out, "engine", "*", "hangs")) // the pattern is well-formed
		_, err := os.Stat(fake + ".hangs")
		return err == nil || len(marks) > 0
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	patience := 3 * time.Minute
	if f.stop {
		for end := began.Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if hanging() {
				break
			}
		}
		began = time.Now()
		cmd.Process.Signal(syscall.SIGTERM)
		patience, _ = endsWithin(t)
	}
	select {
	case <-ended:
	case <-time.After(patience):
		cmd.Process.Kill()
		<-ended
		t.Errorf("it hangs")
	}
	code := cmd.ProcessState.ExitCode()
	t.Logf("%v: exit %d: %s", time.Since(began).Round(100*time.Millisecond), code, stderr)
	if f.stop && !hanging() {
		t.Error("klabel never came to where the tool hangs")
	}
	if _, err := os.Stat(fake + ".ran"); err != nil && f.tool == "frama-c" {
		t.Errorf("the tool was not asked: %v", err)
	}
	right := false
	for _, c := range f.codes {
		right = right || c == code
	}
	if !right {
		t.Errorf("exit %d, want one of %v\n%s", code, f.codes, stdout)
	}
	n := strings.Count("\n"+stderr.String(), "\nklabel: ")
	if code > 0 && (n < 1 || n > 2) || bytes.Contains(stderr.Bytes(), []byte("goroutine ")) {
		t.Errorf("%d lines of klabel's", n)
	}
	if len(stderr.Bytes()) > 4000 {
		t.Errorf("%d bytes on stderr", stderr.Len())
	}
	if !strings.Contains(stderr.String(), f.says) {
		t.Errorf("nothing says %q", f.says)
	}
	if left := leftover(dir, time.Minute); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	noFalseClaim(t, out)

	// The good tool, in the same directory.
	if _, err := os.Stat(filepath.Join(out, "klabel.db")); err != nil {
		return // nothing was begun
	}
	args[len(args)-1] = "native"
	cmd, _, stderr = klabelCmd(args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	if err := cmd.Run(); err != nil {
		t.Errorf("afterwards: %v\n%s", err, stderr)
	}
	noFalseClaim(t, out)
	for id := label.ID(1); id <= 4; id++ {
		if s := statuses(t, out); s[id] != "covered" {
			t.Errorf("afterwards label %d is %q", id, s[id])
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

// noFalseClaim holds what a directory says of the soaked program against what is
// known of it: labels 1 to 4 can be covered, label 5 cannot.
func noFalseClaim(t *testing.T, out string) {
	t.Helper()
	covered := 0
	for id, s := range statuses(t, out) {
		switch {
		case s == "covered":
			covered++
			if id == 5 {
				t.Error("label 5 is covered")
			}
		case s == "infeasible" && id != 5:
			t.Errorf("label %d is infeasible", id)
		}
	}
	if covered == 0 {
		return
	}
	cmd, stdout, stderr := klabelCmd("verify", out)
	if err := cmd.Run(); err != nil {
		t.Errorf("not all that is claimed is confirmed: %s%s", stdout, stderr)
	}
}
