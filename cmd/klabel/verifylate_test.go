package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sleeps goes to sleep for as long as a file says that is no part of the test, as a
// machine with other work lets it.
const sleeps = `#include <stdio.h>
#include <unistd.h>
#include "labels.h"
int klee_int(const char *name);
int main(void)
{
    int x = klee_int("x"), ms = 0;
    FILE *f = fopen(SLOW, "r");
    if (f != NULL) {
        if (fscanf(f, "%d", &ms) != 1)
            return 1;
        fclose(f);
    }
    usleep(1000u * (unsigned)ms);
    pc_label(x != 3, 1, "CC");
    return 0;
}
`

// What a test does not show in its time is neither confirmed nor refuted, and it gets
// more time before that is said.
func TestVerifyLate(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes time: without -short")
	}
	needClang(t)
	home, err := os.MkdirTemp("/var", "klabel-test-") // /tmp is hidden from programs
	if err != nil {
		t.Skip("SKIPPED: no folder that programs see: ", err)
	}
	defer os.RemoveAll(home)
	source, slow, out := filepath.Join(home, "s.c"), filepath.Join(home, "slow"), filepath.Join(home, "out")
	if err := os.WriteFile(source, []byte(sleeps), 0o666); err != nil {
		t.Fatal(err)
	}
	run, _, stderr := klabelCmd("run", source, "-o", out, "--engine", "native", "--no-prune", "--no-sanitizers", "-D",
		`SLOW="`+slow+`"`, "--budget", "5s")
	if run.Run() != nil || statuses(t, out)[1] != "covered" {
		t.Fatalf("%v: %s", statuses(t, out), stderr)
	}
	for _, c := range []struct {
		ms, want string
		code     int
	}{
		{"0", "1 of 1 covered labels confirmed", 0},
		{"1500", "1 of 1 covered labels confirmed", 0}, // in the second round
		{"60000", "neither confirmed nor refuted, the tests did not end in time: labels 1", 1},
		{"none", "not confirmed: labels 1", 1},
	} {
		if err := os.WriteFile(slow, []byte(c.ms), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd, stdout, stderr := klabelCmd("verify", out, "--test-timeout", "500ms")
		_ = cmd.Run() // its code is looked at
		said := strings.Join(strings.Fields(stdout.String()+stderr.String()), " ")
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%s ms: exit %d: %s%s", c.ms, code, stdout, stderr)
		}
	}
}
