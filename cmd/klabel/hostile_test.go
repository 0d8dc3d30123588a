package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"klabel/toolchain"
)

// slow are those that only a limit of time ends: of C tests that is a minute. One is
// left, for all.
var slow = map[int]bool{3: true, 24: true, 25: true, 29: true, 36: true, 42: true, 46: true, 48: true, 51: true,
	60: true, 68: true, 69: true, 93: true, 101: true, 102: true, 120: true, 126: true}

// hostileWays is how many numbers hostile.c knows, 0 included.
const hostileWays = 145

// The programs that replays are attacked with, in all that runs them otherwise:
// engines, with what they call natively, the fuzzer, and the recorder of C tests. What
// must happen is the same everywhere: klabel goes on to its end, in time, with the
// harmless label covered and that of the harm not, the user's file is whole, and no
// process is left.
func TestHostileEverywhere(t *testing.T) {
	needClang(t)
	if m := toolchain.ConfinementMeans(); !m.Namespaces {
		t.Skipf("SKIPPED: no namespaces may be made here: %s", m.Why)
	}
	if soak(1) == 0 {
		t.Skip("takes time: set KLABEL_SOAK")
	}
	engine := func(name string) []string {
		return []string{"run", "hostile.c", "-o", "out", "--engine", name, "--budget", "15s", "--no-prune",
			"--no-sanitizers", "--test-timeout", "700ms"}
	}
	for name, args := range map[string][]string{
		"native":  engine("native"),
		"fuzz":    engine("fuzz"),
		"klee":    engine("klee"),
		"C tests": {"replay", "hostile.c", "-o", "out", "--c-tests", "way*.c", "--test-timeout", "700ms"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "klee" && findKLEE() == "" {
				t.Skip("SKIPPED: no KLEE was found")
			}
			hostileRun(t, args)
		})
	}
}

func hostileRun(t *testing.T, args []string) {
	home, err := os.MkdirTemp("/var", "klabel-test-") // /tmp is hidden from programs
	if err != nil {
		home = t.TempDir()
	}
	defer os.RemoveAll(home)
	if err := os.CopyFS(home, os.DirFS("../../replayer/testdata/hostile")); err != nil {
		t.Fatal(err)
	}
	victim := filepath.Join(home, "victim")
	files := map[string]string{"victim": "mine"}
	for way := range hostileWays {
		if slow[way] && args[0] == "replay" {
			continue
		}
		files[fmt.Sprintf("way%02d.c", way)] = fmt.Sprintf("#define main program_main\n#include \"hostile.c\"\n"+
			"#undef main\nint klee_int(const char *name) { (void)name; return %d; }\n"+
			"int main(void) { return program_main(); }\n", way)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadDir(home)
	if err != nil {
		t.Fatal(err)
	}
	cmd, stdout, stderr := klabelCmd(append(args, "-D", "_GNU_SOURCE", "-D", "VICTIM=\""+victim+"\"", "-D",
		"PID="+strconv.Itoa(os.Getpid()))...)
	cmd.Dir = home
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-time.After(12 * time.Minute):
		cmd.Process.Kill()
		<-ended
		t.Errorf("it does not end")
	}
	t.Logf("%v: %v\n%s%s", time.Since(began).Round(time.Second), err, stdout, stderr)
	// What runs in KLEE's own process can end that: then it is said, and what was
	// found counts.
	crashed := args[0] == "run" && (strings.Contains(stderr.String(), "KLEE crashed") ||
		strings.Contains(stderr.String(), "KLEE failed"))
	if err != nil && !(crashed && cmd.ProcessState.ExitCode() == 1) {
		t.Errorf("klabel: %v", err)
	}
	if left := leftover(home, time.Minute); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if b, err := os.ReadFile(victim); err != nil || string(b) != "mine" {
		t.Errorf("the user's file: %q, %v", b, err)
	}
	if fi, err := os.Stat(victim); err != nil || fi.Mode().Perm() != 0o644 {
		t.Errorf("the user's file: %v, %v", fi, err)
	}
	now, err := os.ReadDir(home)
	if err != nil || len(now) != len(before)+1 {
		t.Errorf("%d files beside the output directory, want %d; %v", len(now)-1, len(before), err)
	}
	s := statuses(t, filepath.Join(home, "out"))
	if s[1] != "covered" || s[3] == "covered" {
		t.Errorf("label 1 is %q, 3 is %q", s[1], s[3])
	}
	if args[0] != "run" {
		return
	}
	cmd, stdout, stderr = klabelCmd("verify", filepath.Join(home, "out"))
	if err := cmd.Run(); err != nil || strings.Contains(stderr.String(), "not confirmed") {
		t.Errorf("%v: %s%s", err, stdout, stderr)
	}
}
