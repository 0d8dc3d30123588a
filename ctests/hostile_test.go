package ctests_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"klabel/ctests"
	"klabel/toolchain"
)

// hostile is a recording runner with a way to harm for each name.
const hostile = `
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
static size_t take(size_t most)
{
    size_t got = 0;
    char *p;

    while (got < most && (p = malloc(1 << 20)) != NULL) {
        memset(p, 1, 1 << 20);
        got += 1 << 20;
    }
    return got >> 20;
}
int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int i, fd;

    if (strcmp(way, "memory") == 0)
        printf("took %d\n", take((size_t)7 << 30) > 1024);
    if (strcmp(way, "large") == 0)
        printf("given %d\n", malloc((size_t)1200 << 20) != NULL);
    if (strcmp(way, "family") == 0) {
        for (i = 0; i < 6 && fork() > 0; i++)
            ;
        take(600 << 20);
        sleep(10);
    }
    if (strcmp(way, "output") == 0)
        for (;;)
            puts("spam spam spam spam spam spam spam spam spam spam spam spam spam");
    if (strcmp(way, "environment") == 0)
        for (i = 0; environ[i] != NULL; i++)
            puts(environ[i]);
    if (strcmp(way, "files") == 0) {
        fd = open(VICTIM, O_WRONLY | O_TRUNC);
        printf("victim %d\n", fd >= 0 || unlink(VICTIM) == 0);
        fd = open("here", O_WRONLY | O_CREAT, 0666);
        printf("here %d\n", fd >= 0);
    }
    if (strcmp(way, "klabel") == 0)
        printf("killed %d\n", kill(PID, SIGKILL) == 0);
    return 0;
}
`

// A recorded test is bounded in memory, alone and with its children, in what it
// prints and in time; it sees nothing of the user's environment and changes
// nothing of the user's files.
func TestHostileRecording(t *testing.T) {
	if m := toolchain.ConfinementMeans(); !m.Namespaces {
		t.Skipf("SKIPPED: no namespaces may be made here: %s", m.Why)
	}
	t.Setenv("KLABEL_TEST_SECRET", "token")
	dir, err := os.MkdirTemp("/var", "klabel-test-") // where files are not hidden
	if err != nil {
		dir = t.TempDir()
	}
	defer os.RemoveAll(dir)
	victim, runner := filepath.Join(dir, "victim"), filepath.Join(dir, "runner.c")
	if err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o666),
		os.WriteFile(runner, []byte(hostile), 0o666)); err != nil {
		t.Fatal(err)
	}
	flags := []string{"-D_GNU_SOURCE", "-DVICTIM=\"" + victim + "\"", "-DPID=" + strconv.Itoa(os.Getpid())}
	observe, clean, err := ctests.Recorder(t.Context(), newBench(t).clang, flags)
	if err != nil {
		t.Fatal(err)
	}
	defer clean()
	for _, x := range []struct {
		way    string
		prints string // what it prints; more or less than that is an error
		fails  bool
	}{
		{"memory", "", true},
		{"large", "given 1\n", false}, // as whoever runs the test is given it: it costs nothing
		{"files", "victim 0\nhere 1\n", false},
		{"klabel", "killed 0\n", false},
		{"output", "spam", true},
		{"family", "", true},
	} {
		if (x.way == "family" || x.way == "memory") && testing.Short() {
			continue // it takes 2 GB
		}
		began := time.Now()
		out, err := observe(runner, []string{x.way})
		t.Logf("%s: %v", x.way, time.Since(began).Round(time.Millisecond))
		if (err != nil) != x.fails || !x.fails && string(out) != x.prints || len(out) > 17<<20 {
			t.Errorf("%s: %v, %d bytes: %.200q", x.way, err, len(out), out)
		}
		if errors.Is(err, toolchain.ErrTimeout) {
			t.Errorf("%s: nothing but time ended it, after %v", x.way, time.Since(began))
		}
	}
	out, err := observe(runner, []string{"environment"})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		name, _, _ := strings.Cut(line, "=")
		if !slices.Contains([]string{"PATH", "LC_ALL", "HOME", "TMPDIR"}, name) {
			t.Errorf("it sees %s", line)
		}
	}
	if b, err := os.ReadFile(victim); err != nil || string(b) != "mine" {
		t.Errorf("the user's file: %q, %v", b, err)
	}
	// klabel itself has not grown with what was printed.
	var ru unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &ru); err != nil || ru.Maxrss > 1<<20 {
		t.Errorf("klabel took %d KB, %v", ru.Maxrss, err)
	}
}

// Folders are called like sources, and those may have any name: make and CMake find
// each, and run nothing of a name.
func TestTogetherOfAnyName(t *testing.T) {
	dir := t.TempDir()
	names := []string{"-o", "a b", "$(shell touch x)", "a`touch x`", "a'b", "a;touch x",
		"${HOME}", "~", "=x", "#x", "a\"b"}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{"Makefile": "check:\n\t@touch made\n",
			"CMakeLists.txt": "file(TOUCH \"${CMAKE_CURRENT_SOURCE_DIR}/configured\")\n"} {
			if err := os.WriteFile(filepath.Join(dir, name, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := ctests.Together(dir, slices.Clone(names)); err != nil {
		t.Fatal(err)
	}
	for tool, made := range map[string]string{"make": "made", "cmake": "configured"} {
		if _, err := toolchain.OnPath(tool); err != nil {
			t.Logf("SKIPPED: no %s on PATH", tool)
			continue
		}
		argv := []string{tool, "check"}
		if tool == "cmake" {
			argv = []string{tool, "-S", ".", "-B", t.TempDir()}
		}
		r, err := toolchain.Run(t.Context(), toolchain.Command{Argv: argv, Dir: dir})
		if err != nil {
			t.Errorf("%s: %v: %s%s", tool, err, r.Stdout, r.Stderr)
		}
		for _, name := range names {
			if _, err := os.Stat(filepath.Join(dir, name, made)); err != nil {
				t.Errorf("%s: %v", tool, err)
			}
		}
	}
	if ran, err := filepath.Glob(filepath.Join(dir, "**", "x")); err != nil || len(ran) > 0 {
		t.Errorf("a name was run: %q, %v", ran, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("a name was run")
	}
}
