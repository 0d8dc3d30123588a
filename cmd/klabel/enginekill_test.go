package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An engine that is killed in the middle of its work, before it has written its
// statistics: what it found until then is kept and confirmed, nothing is claimed by its
// silence, and that it was killed is said.
func TestEngineKilled(t *testing.T) {
	needClang(t)
	for engine, program := range map[string]string{"native": "native-engine", "klee": "--output-dir="} {
		t.Run(engine, func(t *testing.T) {
			if engine == "klee" && findKLEE() == "" {
				t.Skip("SKIPPED: no KLEE was found")
			}
			dir := t.TempDir()
			file, out := filepath.Join(dir, "spins.c"), filepath.Join(dir, "out")
			if err := os.WriteFile(file, []byte(spins), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd, stdout, stderr := klabelCmd("run", file, "-o", out, "--engine", engine, "--budget", "10m",
				"--no-random", "--no-prune", "--no-sanitizers", "--style", "none")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { cmd.Wait(); close(ended) }()
			killed := false
			for end := time.Now().Add(5 * time.Minute); !killed && time.Now().Before(end); {
				time.Sleep(50 * time.Millisecond)
				if kept, _ := filepath.Glob(filepath.Join(out, "tests", "*.ktest")); len(kept) < 2 {
					continue
				}
				for _, pid := range descendants(cmd.Process.Pid, program) {
					killed = syscall.Kill(pid, syscall.SIGKILL) == nil || killed
				}
			}
			select {
			case <-ended:
			case <-time.After(5 * time.Minute):
				cmd.Process.Kill()
				<-ended
				t.Fatalf("killed %v: it does not end: %s%s", killed, stdout, stderr)
			}
			said := strings.Join(strings.Fields(stdout.String()+stderr.String()), " ")
			code := cmd.ProcessState.ExitCode()
			if !killed || code != 0 && code != 1 || !strings.Contains(said, "was killed") {
				t.Errorf("killed %v, exit %d: %s%s", killed, code, stdout, stderr)
			}
			if s := statuses(t, out); s[1] != "covered" || s[2] != "covered" || s[3] != "unknown" {
				t.Errorf("statuses: %v", s)
			}
			verify, _, text := klabelCmd("verify", out)
			if err := verify.Run(); err != nil {
				t.Errorf("verify: %v: %s", err, text)
			}
			if left := leftover(dir, time.Minute); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// spins has two labels that are found at once, and paths without end.
const spins = `#include "labels.h"
int klee_int(const char *name);
int main(void)
{
    int x = klee_int("x");
    unsigned h = 1;
    pc_label(x == 12345, 1, "CC");
    pc_label(x == 777, 2, "CC");
    while (klee_int("more"))
        h = h * 31 ^ (unsigned)klee_int("b");
    pc_label(h % 2 == 2, 3, "CC");
    return 0;
}
`

// descendants are the processes that one has started, and those that these have, with a
// word in their command lines.
func descendants(of int, word string) (out []int) {
	children := map[int][]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		rest := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		parent, _ := strconv.Atoi(rest[1])
		children[parent] = append(children[parent], pid)
	}
	for queue := children[of]; len(queue) > 0; queue = queue[1:] {
		queue = append(queue, children[queue[0]]...)
		line, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(queue[0]), "cmdline"))
		if strings.Contains(string(line), word) {
			out = append(out, queue[0])
		}
	}
	return out
}
