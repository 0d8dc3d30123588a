package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
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
// those before it.
func TestSoakKilled(t *testing.T) {
	kills := soak(400)
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
	for _, eng := range engines {
		t.Run(eng, func(t *testing.T) {
			home, temp := t.TempDir(), t.TempDir()
			users := map[string]string{"soaked.c": soaked, "tests/mine.ktest": "mine", "victim.txt": "mine"}
			for name, text := range users {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			k := &soaker{t: t, home: home, temp: temp, users: users, engine: eng, whole: 2 * time.Second}
			began := time.Now()
			for k.killed < kills && !t.Failed() {
				// Every tenth run starts anew, every seventh comes to its end.
				k.round(k.runs%10 == 9, k.runs%7 == 6)
			}
			t.Logf("%d runs: %d killed, %d of them before there was a store; %d came to their end; %v",
				k.runs, k.killed, k.early, k.ended, time.Since(began).Round(time.Second))
		})
	}
}

type soaker struct {
	t                          *testing.T
	home, temp, engine         string
	users                      map[string]string
	whole                      time.Duration // of a run that has everything to do
	runs, killed, ended, early int
}

func (k *soaker) round(fresh, toTheEnd bool) {
	t := k.t
	args := []string{"run", "soaked.c", "--engine", k.engine, "-o", "out", "--budget", "3s"}
	if fresh {
		args = append(args, "--fresh")
	}
	cmd, _, stderr := klabelCmd(args...)
	cmd.Dir, cmd.Env = k.home, append(os.Environ(), "TMPDIR="+k.temp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // KILL reaches klabel alone
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k.runs++
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	moment := time.Duration(rand.Int64N(int64(k.whole)))
	if toTheEnd {
		moment = 2 * time.Minute
	}
	select {
	case err := <-ended:
		k.ended++
		if err != nil {
			t.Errorf("run %d: %v\n%s", k.runs, err, stderr)
		}
		if fresh {
			k.whole = time.Since(begin)
		}
		if left, err := os.ReadDir(k.temp); err != nil || len(left) > 0 {
			t.Errorf("run %d: temporary files are left: %v, %v", k.runs, left, err)
		}
		// Next time there is something to do.
		if err := os.RemoveAll(filepath.Join(k.home, "out")); err != nil {
			t.Error(err)
		}
	case <-time.After(moment):
		cmd.Process.Kill()
		<-ended
		k.killed++
	}
	k.check()
}

func (k *soaker) check() {
	t := k.t
	if left := append(leftover(k.home, 3*time.Second), leftover(k.temp, 3*time.Second)...); len(left) > 0 {
		t.Errorf("run %d: left behind: %q", k.runs, left)
	}
	for name, text := range k.users {
		if b, err := os.ReadFile(filepath.Join(k.home, name)); err != nil || string(b) != text {
			t.Errorf("run %d: the user's %s: %q, %v", k.runs, name, b, err)
		}
	}
	out := filepath.Join(k.home, "out")
	if _, err := os.Stat(filepath.Join(out, "klabel.db")); err != nil {
		k.early++
		return
	}
	covered := false
	for _, s := range statuses(t, out) {
		covered = covered || s == "covered"
	}
	cmd, stdout, stderr := klabelCmd("verify", out)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	if err := cmd.Run(); err != nil && covered {
		t.Errorf("run %d: not all that is claimed is confirmed: %s%s", k.runs, stdout, stderr)
	}
	if n := strings.Count(stderr.String(), "\n"); n > 2 {
		t.Errorf("run %d: %d lines: %s", k.runs, n, stderr)
	}
}
