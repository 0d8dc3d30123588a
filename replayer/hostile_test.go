package replayer

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"klabel/label"
	"klabel/toolchain"
)

// hostile has a way to harm for each number; after each it must be possible to
// replay number 0, which covers label 1.
const hostile = `
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <stdint.h>
static volatile char rubbish;
static int deep(int n) { volatile char room[4096]; room[0] = (char)n; return deep(n + 1) + room[0]; }
static void forever(void) { for (;;) pause(); }
static void hit(int n) { klabel_hit(n); }
static int tries(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0) return 0;
    if (write(fd, "x", 1)) {}
    close(fd);
    return 1;
}
int main(void)
{
    int way = klee_int("way"), i;
    char path[64];
    struct rlimit none = {0, 0};
    sigset_t all;
    switch (way) {
    case 0: hit(1); return 0;
    case 1: kill(getppid(), SIGKILL); usleep(20000); hit(2); return 0;
    case 2: kill(-1, SIGKILL); hit(2); return 0;
    case 3: for (;;) if (fork() < 0) usleep(100);
    case 4: if (fork() == 0) { setsid(); if (fork() == 0) { signal(SIGTERM, SIG_IGN); forever(); } _exit(0); } hit(2); return 0;
    case 5: if (fork() == 0) { usleep(300000); for (i = 2; i < 90; i++) hit(i); forever(); } hit(2); return 0;
    case 6: hit(tries(VICTIM) || unlink(VICTIM) == 0 ? 3 : 2); return 0;
    case 7: hit(ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0 ? 3 : 2); return 0;
    case 8: snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid()); hit(open(path, O_RDWR) >= 0 ? 3 : 2); return 0;
    case 9: hit(tries("/tmp/left") ? 2 : 3); return 0;
    case 10: hit(access("/tmp/left", F_OK) == 0 ? 3 : 2); return 0;
    case 11: for (i = 0; i < 100; i++) { snprintf(path, sizeof path, "f%d", i); mkdir(path, 0); } hit(2); return 0;
    case 12: hit(access("f7", F_OK) == 0 ? 3 : 2); return 0;
    case 13: signal(SIGXFSZ, SIG_IGN); for (i = 0; i < 4000; i++) { snprintf(path, sizeof path, "g%d", i); int fd = open(path, O_WRONLY | O_CREAT, 0666); if (fd < 0 || ftruncate(fd, 0) || write(fd, malloc(1 << 20), 1 << 20) != 1 << 20) { hit(2); return 0; } close(fd); } hit(3); return 0;
    case 14: hit(prlimit(getppid(), RLIMIT_NOFILE, &none, NULL) == 0 ? 3 : 2); return 0;
    case 15: hit(socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ? 3 : 2); return 0;
    case 16: hit(70); hit(-5); return 0;
    case 17: kill(getppid(), SIGSTOP); hit(2); return 0;
    case 18: for (i = 3; i < 256; i++) close(i); if (write(204, "r", 1)) {} hit(2); return 0;
    case 19: hit(kill(PID, 0) == 0 ? 3 : 2); return 0;
    case 20: hit(setpriority(PRIO_PROCESS, getppid(), 19) == 0 ? 2 : 2); return 0;
    case 21: for (i = 0; i < 3; i++) if (fork() == 0) for (;;) if (write(1, "spam spam spam\n", 15)) {} hit(2); return 0;
    case 22: hit(chmod(VICTIM, 0) == 0 || rename(VICTIM, VICTIM "2") == 0 || symlink("x", VICTIM "3") == 0 ? 3 : 2); return 0;
    case 23: if (system("sleep 97.31 & echo hello") == 0) {} hit(2); return 0;
    case 24: hit(2); raise(SIGSTOP); return 0;
    case 25: hit(2); signal(SIGTERM, SIG_IGN); signal(SIGXCPU, SIG_IGN); sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL); for (;;) {}
    case 26: hit(2); forever();
    case 27: for (;;) { char *p = malloc(1 << 20); if (p != NULL) memset(p, 1, 1 << 20); }
    case 28: hit(2); return deep(1);
    case 29: atexit(forever); hit(2); return 0;
    case 30: hit(2); raise(SIGSEGV); return 0;
    case 31: hit(2); for (i = 0; i < 1024; i++) close(i); return 0;
    case 32: hit(2); for (i = 0; i < 16; i++) setrlimit(i, &none); return 0;
    case 33: { int fd = open("/proc/self/mem", O_RDWR); uintptr_t at = (uintptr_t)&rubbish; hit(pwrite(fd, "x", 1, (off_t)at) == 1 && rubbish == 'x' ? 2 : 2); return 0; }
    case 34: if (fork() == 0) { setsid(); if (fork() == 0) { setsid(); for (;;) if (fork() == 0) pause(); else usleep(1000); } _exit(0); } hit(2); return 0;
    case 35: hit(symlink("/", "all") == 0 && tries("all" VICTIM) ? 3 : 2); return 0;
    case 36: hit(2); for (;;) if (write(1, "flood flood flood\n", 18)) {}
    case 37: hit(2); ftruncate(3, 0); for (i = 3; i < 256; i++) if (i != 204) { (void)!write(i, "verdict", 7); (void)!ftruncate(i, 0); } return 0;
    }
    return 0;
}`

// ends are the numbers that must not end normally, with how they do.
var ends = map[int][]label.Outcome{
	3:  {label.OutOfMemory, label.TimedOut, label.Crashed},
	16: {label.Crashed},
	24: {label.TimedOut},
	25: {label.TimedOut, label.Crashed},
	26: {label.TimedOut},
	27: {label.OutOfMemory, label.TimedOut, label.Crashed},
	28: {label.Crashed},
	29: {label.TimedOut},
	30: {label.Crashed},
	36: {label.TimedOut},
	37: {label.Normal, label.Crashed}, // a pipe may have lost its reader
}

func TestHostilePrograms(t *testing.T) {
	if m := toolchain.ConfinementMeans(); !m.Namespaces {
		t.Skipf("SKIPPED: no namespaces may be made here: %s", m.Why)
	}
	victim := filepath.Join(t.TempDir(), "victim")
	if home, err := os.MkdirTemp("/var", "klabel-test-"); err == nil { // where files are not hidden
		defer os.RemoveAll(home)
		victim = filepath.Join(home, "victim")
	}
	if err := os.WriteFile(victim, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	binary := build(t, hostile, false, "-D_GNU_SOURCE", "-DVICTIM=\""+victim+"\"", "-DPID="+strconv.Itoa(os.Getpid()),
		"-w")
	p := newPool(t, Options{Binary: binary, MaxID: 60, TestTimeout: 700 * time.Millisecond, MemoryMB: 200,
		Processes: 16, FileMB: 8})
	replay := func(way int) label.Verdict {
		v, err := p.Replay(t.Context(), 0, test(i32("way", int32(way))))
		if err != nil {
			t.Fatalf("way %d: %v", way, err)
		}
		return v
	}
	for way := 1; way <= 37; way++ {
		if way == 3 && os.Geteuid() == 0 && !ownProcessNumbers() {
			continue // nothing but the server bounds root's processes there
		}
		began := time.Now()
		v := replay(way)
		t.Logf("way %d: %v, %v: %v %s", way, time.Since(began).Round(time.Millisecond), v.Outcome, v.Hits, v.Reason)
		for _, id := range v.Hits {
			if id != 2 {
				t.Errorf("way %d: label %d is hit", way, id)
			}
		}
		want, fails := ends[way]
		if !fails {
			want = []label.Outcome{label.Normal}
		}
		if !slices.Contains(want, v.Outcome) {
			t.Errorf("way %d: %+v, want one of %v", way, v, want)
		}
		if v = replay(0); v.Outcome != label.Normal || !slices.Equal(v.Hits, []label.ID{1}) {
			t.Errorf("after way %d: %+v", way, v)
		}
	}
	if b, err := os.ReadFile(victim); err != nil || string(b) != "mine" {
		t.Errorf("the user's file: %q, %v", b, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	// Nothing of the program is left.
	for range 100 {
		if len(processes(binary))+len(processes("sleep\x0097.31")) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("left: %v %v", processes(binary), processes("sleep\x0097.31"))
}

// processes lists those whose command line holds the text.
func processes(text string) (pids []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is well-formed
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), text) {
			pids = append(pids, f)
		}
	}
	return pids
}

// ownProcessNumbers reports whether a process namespace bounds the number of its
// processes.
func ownProcessNumbers() bool {
	var u unix.Utsname
	var major, minor int
	if unix.Uname(&u) != nil {
		return false
	}
	n, _ := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor)
	return n == 2 && (major > 6 || major == 6 && minor >= 14)
}
