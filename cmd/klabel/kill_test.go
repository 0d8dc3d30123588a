package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"klabel/examples"
	"klabel/fault"
	"klabel/label"
)

// klabelCmd is the real program; TestMain has put it on PATH.
func klabelCmd(args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	cmd = exec.Command("klabel", args...)
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

func needClang(t *testing.T) {
	t.Helper()
	for _, name := range []string{"clang", "clang-14", "clang-16", "clang-19"} {
		if _, err := exec.LookPath(name); err == nil {
			return
		}
	}
	t.Skip("SKIPPED: no clang on PATH")
}

func example(t *testing.T, name, criterion string) examples.Program {
	t.Helper()
	all, err := examples.All("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.Name == name && p.Criterion == criterion {
			return p
		}
	}
	t.Fatalf("no example %s.%s", name, criterion)
	return examples.Program{}
}

// statuses runs `klabel labels`; nil where there is no store yet.
func statuses(t *testing.T, dir string) map[label.ID]string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "klabel.db")); err != nil {
		return nil
	}
	cmd, stdout, stderr := klabelCmd("labels", dir, "--format", "json")
	if err := cmd.Run(); err != nil {
		t.Fatalf("klabel labels: %v\n%s", err, stderr)
	}
	var rows []struct {
		ID     label.ID `json:"id"`
		Status string   `json:"status"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &rows); err != nil {
		t.Fatalf("%v\n%s", err, stdout)
	}
	out := map[label.ID]string{}
	for _, r := range rows {
		out[r.ID] = r.Status
	}
	return out
}

// wantAll checks that a finished directory knows what the example says.
func wantAll(t *testing.T, p examples.Program, dir string) {
	t.Helper()
	s := statuses(t, dir)
	for _, id := range p.Coverable {
		if s[id] != "covered" {
			t.Errorf("label %d is %q, it can be covered", id, s[id])
		}
	}
	for _, id := range p.Infeasible {
		if s[id] == "covered" {
			t.Errorf("label %d is covered, and infeasible", id)
		}
	}
}

// A klabel that is killed at any moment leaves a directory that opens, loses no
// covered label, and leaves no process; going on finishes the job.
func TestKilledAtAnyMoment(t *testing.T) {
	needClang(t)
	engines := []string{"native"}
	if findKLEE() != "" {
		engines = append(engines, "klee")
	} else {
		t.Log("SKIPPED: the same with KLEE, which was not found")
	}
	for _, eng := range engines {
		t.Run(eng, func(t *testing.T) {
			t.Parallel()
			p := example(t, "utf8", "MCC")
			kills := 10
			if n := soak(500); n > 0 {
				kills = n
			}
			if testing.Short() {
				kills = 4
			}
			dir := filepath.Join(t.TempDir(), "out")
			args := []string{"run", p.File, "--engine", eng, "-o", dir, "--no-random", "--no-sanitizers", "--budget",
				"30s"}
			temp := t.TempDir()
			var before map[label.ID]string
			killed, midway, whole := 0, 0, 3*time.Second
			for killed < kills {
				cmd, _, stderr := klabelCmd(args...)
				cmd.Env = append(os.Environ(), "TMPDIR="+temp)
				cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // KILL reaches klabel alone
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan error, 1)
				begin := time.Now()
				go func() { ended <- cmd.Wait() }()
				select {
				case err := <-ended:
					if err != nil {
						t.Fatalf("klabel: %v\n%s", err, stderr)
					}
					if before == nil { // it had everything to do
						whole = time.Since(begin)
					}
					wantAll(t, p, dir)
					if err := os.RemoveAll(dir); err != nil {
						t.Fatal(err)
					}
					before = nil
					continue
				case <-soon(dir, killed%2 == 0, whole):
				}
				cmd.Process.Kill()
				<-ended
				killed++
				if left := leftover(dir, patience); len(left) > 0 {
					t.Fatalf("left behind: %q", left)
				}
				now := statuses(t, dir)
				for id, s := range before {
					if s == "covered" && now[id] != "covered" {
						t.Errorf("label %d was covered and is %q", id, now[id])
					}
				}
				covered := 0
				for _, s := range now {
					if s == "covered" {
						covered++
					}
				}
				if covered > 0 && covered < len(p.Coverable) {
					midway++
				}
				before = now
			}
			cmd, _, stderr := klabelCmd(args...)
			cmd.Env = append(os.Environ(), "TMPDIR="+temp)
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s", err, stderr)
			}
			wantAll(t, p, dir)
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("temporary files of killed runs are left: %v, %v", left, err)
			}
			if cmd, out, stderr := klabelCmd("verify", dir); cmd.Run() != nil {
				t.Errorf("the suite does not cover what is claimed: %s%s", out, stderr)
			}
			t.Logf("%d kills, %d with some labels covered", killed, midway)
		})
	}
}

// soak is how many rounds KLABEL_SOAK asks for: so many if it is a number above 1,
// all if it is anything else, none if it is not set.
func soak(all int) int {
	switch n, err := strconv.Atoi(os.Getenv("KLABEL_SOAK")); {
	case err == nil && n > 1:
		return n
	case os.Getenv("KLABEL_SOAK") != "":
		return all
	}
	return 0
}

// soon comes at a random moment of a run: of all of it or, shortly after the first
// new test is there, while most are found.
func soon(dir string, found bool, whole time.Duration) <-chan time.Time {
	if !found {
		return time.After(time.Duration(rand.Int64N(int64(whole))))
	}
	tests := func() int {
		files, _ := filepath.Glob(filepath.Join(dir, "tests", "*.ktest")) // the pattern is well-formed
		return len(files)
	}
	at, had := make(chan time.Time, 1), tests()
	go func() {
		for end := time.Now().Add(whole); tests() <= had && time.Now().Before(end); {
			time.Sleep(2 * time.Millisecond)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(100 * time.Millisecond))))
		at <- time.Now()
	}()
	return at
}

// Without any tool: exit code 4, and what to install.
func TestMissingTools(t *testing.T) {
	self, err := exec.LookPath("klabel")
	if err != nil {
		t.Fatal(err)
	}
	p := example(t, "triangle", "CC")
	for _, args := range [][]string{
		{"run", p.File, "-o", filepath.Join(t.TempDir(), "out")},
		{"compare", p.File, "-o", filepath.Join(t.TempDir(), "out")},
		{"replay", p.File, "--tests", p.File},
		{"instrument", p.File, "--mode", "tight"},
		{"labels", p.File},
		{"doctor"},
	} {
		// clang is also looked for where distributions put it, so that an empty
		// PATH alone would not hide it.
		cmd := exec.Command(self, append(args, "--clang", "/absent/clang")...)
		cmd.Env = []string{"PATH=" + t.TempDir(), "HOME=" + t.TempDir()}
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != fault.ToolMissing || !bytes.Contains(out, []byte("clang")) ||
			!bytes.Contains(out, []byte("install")) {
			t.Errorf("%s: exit %d\n%s", args[0], code, out)
		}
		if n := bytes.Count(out, []byte("\n")); args[0] != "doctor" && n > 2 {
			t.Errorf("%s: %d lines\n%s", args[0], n, out)
		}
	}
}
