package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"klabel/toolchain"
)

// What KLEE calls natively harms a worker of a cluster no more than it does a run on
// one machine: the worker's files and processes are what they were, and nothing is left.
func TestKLEEOfAWorkerIsConfined(t *testing.T) {
	needClang(t)
	if findKLEE() == "" {
		t.Skip("SKIPPED: no KLEE was found")
	}
	if m := toolchain.ConfinementMeans(); !m.Namespaces {
		t.Skipf("SKIPPED: no namespaces may be made here: %s", m.Why)
	}
	home, err := os.MkdirTemp("/var", "klabel-test-") // /tmp is hidden from programs
	if err != nil {
		t.Skipf("SKIPPED: no folder that programs could see: %v", err)
	}
	defer os.RemoveAll(home)
	source, victim := filepath.Join(home, "harm.c"), filepath.Join(home, "victim")
	for name, text := range map[string]string{source: harm, victim: "mine"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	addr, out := freeAddress(t), filepath.Join(home, "out")
	w, _, said := klabelCmd("work", "--join", "nats://"+addr, "--jobs", "1", "--once")
	w.Dir, w.Env = home, append(os.Environ(), "KLABEL_TEST_TOKEN=secret")
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Process.Kill() }()
	cmd, stdout, stderr := klabelCmd("run", source, "-o", out, "--engine", "klee", "--budget", "30s", "--no-prune",
		"--no-random", "--style", "none", "--listen", addr, "-D", "VICTIM=\""+victim+"\"",
		"-D", "PID="+strconv.Itoa(w.Process.Pid))
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	if err := w.Wait(); err != nil {
		t.Errorf("the worker: %v\n%s", err, said)
	}
	// KLEE has called them, or this shows nothing.
	for _, f := range []string{"system", "unlink", "kill", "getenv"} {
		if !strings.Contains(strings.Join(strings.Fields(stdout.String()), " "), f) {
			t.Errorf("no word of %s: %s%s", f, stdout, stderr)
		}
	}
	if b, err := os.ReadFile(victim); err != nil || string(b) != "mine" {
		t.Errorf("the user's file: %q, %v", b, err)
	}
	if left := leftover(home, time.Minute); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if left, err := os.ReadDir(home); err != nil || len(left) != 3 {
		t.Errorf("files beside the source, the user's and the output: %v, %v", left, err)
	}
	if s := statuses(t, out); s[1] != "covered" || s[2] == "covered" {
		t.Errorf("label 1 is %q, 2 is %q", s[1], s[2])
	}
}

// harm meets label 2 only if one of its deeds succeeds.
const harm = `#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "labels.h"
int klee_int(const char *name);
int main(void)
{
    int x = klee_int("x");
    int done = unlink(VICTIM) == 0;
    done |= kill(PID, SIGKILL) == 0;
    done |= getenv("KLABEL_TEST_TOKEN") != NULL;
    system("(setsid sleep 4711 &) ; echo harm > " VICTIM " ; touch " VICTIM ".new");
    pc_label(x == 77, 1, "CC");
    pc_label(done, 2, "CC");
    return 0;
}
`
