package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// soaked is the smallest program that needs every stage of a run.
const soaked = `#include "labels.h"
int klee_int(const char *name);
int main(void)
{
    int x = klee_int("x"), y = klee_int("y");
    pc_label(x > 3, 1, "CC");
    pc_label(x == 1234567, 2, "CC");
    if (y > x) pc_label(y - x == 77, 3, "CC");
    pc_label(x == y, 4, "CC");
    pc_label(x > 5 && x < 3, 5, "CC");
    return 0;
}
`

// Many short runs are killed, at moments that are spread over a run. After each,
// no process is left, 'klabel verify' confirms every claim, and the user's files
// are what they were. A run that comes to its end removes the temporary files of
// those before it. Some run side by side, each in a home of its own.
func TestSoakKilled(t *testing.T) {
	kills := soak(1000)
	if kills == 0 {
		t.Skip("a soak: set KLABEL_SOAK to a number of kills")
	}
	needClang(t)
	engines := []string{"native", "fuzz"}
	if findKLEE() != "" {
		engines = append(engines, "klee")
	} else {
		t.Log("SKIPPED: the same with KLEE, which was not found")
	}
	began, sum, mu := time.Now(), soaker{}, sync.Mutex{}
	t.Run("engine", func(t *testing.T) {
		for i, eng := range engines {
			// The remainder goes to the first ones: the sum is what was asked for.
			n := (kills + len(engines) - 1 - i) / len(engines)
			t.Run(eng, func(t *testing.T) {
				t.Parallel()
				k := newSoaker(t, eng)
				for k.killed < n && !t.Failed() {
					k.round()
				}
				t.Log(k)
				mu.Lock()
				defer mu.Unlock()
				sum.add(k)
			})
		}
	})
	t.Logf("all: %v; %v", &sum, time.Since(began).Round(time.Second))
}

type soaker struct {
	t                                    *testing.T
	home, temp, engine                   string
	users                                map[string]string
	whole                                time.Duration // of a run that has everything to do
	runs, killed, ended, early, claiming int
}

func newSoaker(t *testing.T, engine string) *soaker {
	k := &soaker{t: t, home: t.TempDir(), temp: t.TempDir(), engine: engine, whole: 2 * time.Second,
		users: map[string]string{"soaked.c": soaked, "tests/mine.ktest": "mine", "victim.txt": "mine"}}
	for name, text := range k.users {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(k.home, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(k.home, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return k
}

func (k *soaker) add(o *soaker) {
	k.runs += o.runs
	k.killed += o.killed
	k.ended += o.ended
	k.early += o.early
	k.claiming += o.claiming
}

func (k *soaker) String() string {
	return fmt.Sprintf("%d runs: %d killed, %d of them before there was a store, %d when it claimed something; "+
		"%d came to their end", k.runs, k.killed, k.early, k.claiming, k.ended)
}

// round is a run that is killed. Every tenth starts anew, every seventh comes to its
// end; every fourth has all stages, for the others cost half; of every five, four are
// killed when they have a store, which is in the last part of a run.
func (k *soaker) round() {
	t := k.t
	fresh, toTheEnd, late := k.runs%10 == 9, k.runs%7 == 0, k.runs%5 != 0
	args := []string{"run", "soaked.c", "--engine", k.engine, "-o", "out", "--budget", "3s"}
	if k.runs%4 != 0 {
		args = append(args, "--no-prune", "--no-sanitizers")
	}
	if fresh {
		args = append(args, "--fresh")
	}
	cmd, _, stderr := klabelCmd(args...)
	cmd.Dir, cmd.Env = k.home, append(os.Environ(), "TMPDIR="+k.temp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // KILL reaches klabel alone
	_, anew := os.Stat(filepath.Join(k.home, "out"))
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k.runs++
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	most := k.whole
	for end := begin.Add(k.whole); late && time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(k.home, "out", "klabel.db")); err == nil {
			most /= 2
			break
		}
	}
	moment := time.Duration(rand.Int64N(int64(most)))
	if toTheEnd {
		moment = 2 * time.Minute
	}
	select {
	case err := <-ended:
		k.ended++
		if err != nil {
			t.Errorf("run %d: %v\n%s", k.runs, err, stderr)
		}
		if fresh || anew != nil {
			k.whole = min(time.Since(begin), time.Minute)
		}
		if left, err := os.ReadDir(k.temp); err != nil || len(left) > 0 {
			t.Errorf("run %d: temporary files are left: %v, %v", k.runs, left, err)
		}
		k.check()
		// Next time there is something to do.
		if err := os.RemoveAll(filepath.Join(k.home, "out")); err != nil {
			t.Error(err)
		}
		return
	case <-time.After(moment):
		cmd.Process.Kill()
		<-ended
		k.killed++
	}
	if stored, claims := k.check(); !stored {
		k.early++
	} else if claims {
		k.claiming++
	}
}

func (k *soaker) check() (stored, claims bool) {
	t := k.t
	if left := append(leftover(k.home, patience), leftover(k.temp, patience)...); len(left) > 0 {
		t.Errorf("run %d: left behind: %q", k.runs, left)
	}
	for name, text := range k.users {
		if b, err := os.ReadFile(filepath.Join(k.home, name)); err != nil || string(b) != text {
			t.Errorf("run %d: the user's %s: %q, %v", k.runs, name, b, err)
		}
	}
	out := filepath.Join(k.home, "out")
	if _, err := os.Stat(filepath.Join(out, "klabel.db")); err != nil {
		return false, false
	}
	for _, s := range statuses(t, out) {
		claims = claims || s == "covered"
	}
	if !claims {
		return true, false
	}
	cmd, stdout, stderr := klabelCmd("verify", out)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	if err := cmd.Run(); err != nil {
		t.Errorf("run %d: not all that is claimed is confirmed: %s%s", k.runs, stdout, stderr)
	}
	if n := strings.Count(stderr.String(), "\n"); n > 2 {
		t.Errorf("run %d: %d lines: %s", k.runs, n, stderr)
	}
	return true, true
}
