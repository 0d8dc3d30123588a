package replayer

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"klabel/ktest"
	"klabel/label"
	"klabel/toolchain"
)

// forging claims label 2, each number in another way, and reaches label 1. What
// Replay says of it is what the program wants; Confirm sees label 1 alone.
const forging = `
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
static void reached(void) { klabel_hit(1); }
static void never(void) { klabel_hit(2); }
static unsigned char *found, *end;
static void find(void)
{
    char line[512];
    unsigned long from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "rw-s") && sscanf(line, "%lx-%lx", &from, &to) == 2) {
            found = (unsigned char *)from;
            end = (unsigned char *)to;
        }
    fclose(maps);
}
static void claim(unsigned char *run)
{
    unsigned n = *(unsigned *)(run + 60);
    run[4096 + ASKED + 2] = 1;
    *(unsigned *)(run + 4096 + ASKED + 64 + 4 * n) = 2;
    *(unsigned *)(run + 60) = n + 1;
}
static void through(int fd)
{
    unsigned n = *(unsigned *)(found + 60) + 1, two = 2;
    unsigned char one = 1;
    if (pwrite(fd, &two, 4, (off_t)(found + 4096 + ASKED + 64 + 4 * (n - 1))) != 4) return;
    if (pwrite(fd, &one, 1, (off_t)(found + 4096 + ASKED + 2)) != 1) return;
    if (pwrite(fd, &n, 4, (off_t)(found + 60)) != 4) return;
}
static void *thread(void *p) { claim(p); return NULL; }
static void at_exit(void) { claim(found); }
static void call(int id)
{
    /* the function that never() calls, read from its machine code */
    unsigned char *p = (unsigned char *)(uintptr_t)never;
    while (p[0] != 0xbf || p[1] != 2 || p[5] != 0xe8) p++;
    int32_t far;
    memcpy(&far, p + 6, 4);
    ((void (*)(int))(uintptr_t)(p + 10 + far))(id);
}
/* Another program, which brings what looks like a breakpoint where the first one has it. */
__attribute__((constructor)) static void again(void)
{
    static const unsigned char code[] = {0xcc, 0, 0, 0, 0, 0x58, 0xc3}; /* call what follows; return */
    char line[64] = "";
    unsigned long at;
    int fd = open("/proc/self/cmdline", O_RDONLY);
    if (read(fd, line, sizeof line - 1) < 0) return;
    close(fd);
    if (sscanf(line, "again %lx", &at) != 1) return;
    if (mmap((void *)(at & ~4095UL), 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) _exit(1);
    memcpy((void *)at, code, sizeof code);
    ((void (*)(void))at)();
    _exit(0);
}
static void another(void)
{
    char line[64];
    unsigned char *p = (unsigned char *)(uintptr_t)never;
    while (p[0] != 0xbf || p[1] != 2) p++;
    sprintf(line, "again %lx", (unsigned long)(p + 5));
    execl("/proc/self/exe", line, (char *)NULL);
}
int main(void)
{
    int way = klee_int("way");
    pthread_t t;
    pid_t child;
    reached();
    find();
    switch (way) {
    case 0: claim(found); break;
    case 1: { int fd = open("/proc/self/mem", O_RDWR); through(fd); break; }
    case 2: child = fork(); if (child == 0) { claim(found); _exit(0); } waitpid(child, NULL, 0); break;
    case 3: pthread_create(&t, NULL, thread, found); pthread_join(t, NULL); break;
    case 4: atexit(at_exit); break;
    case 5: call(2); break;
    case 6: signal(SIGTRAP, SIG_IGN); claim(found); raise(SIGTRAP); break;
    case 7: signal(SIGSEGV, (void (*)(int))(uintptr_t)at_exit); raise(SIGSEGV); break;
    case 8: claim(found); _exit(3);
    case 9: break;
    case 10: never(); break;
    case 11: child = fork(); if (child == 0) { never(); _exit(0); } waitpid(child, NULL, 0); break;
    case 12: claim(found); raise(SIGKILL); break;
    case 14: child = fork(); if (child == 0) { another(); _exit(1); } waitpid(child, NULL, 0); claim(found); break;
    case 15: child = fork(); if (child == 0) { if (vfork() == 0) { another(); _exit(1); } _exit(0); }
        waitpid(child, NULL, 0); claim(found); break;
    case 13: for (way = 0; way < 200000; way++) reached(); claim(found); break;
    }
    return 0;
}`

func TestForgedHitsAreNotConfirmed(t *testing.T) {
	forged := fmt.Sprintf("enum { ASKED = %d };\n", askedSize) + forging
	for _, sanitize := range []bool{false, true} {
		p := newPool(t, Options{Binary: build(t, forged, sanitize), MaxID: 61, Workers: 2})
		if err := p.Watchable(); err != nil {
			t.Skipf("SKIPPED: runs cannot be watched here: %v", err)
		}
		claimed := 0
		for way := range int32(16) {
			one := test([]ktest.Object{i32("way", way)}...)
			v, err := p.Replay(t.Context(), 0, one)
			if err != nil {
				t.Fatal(err)
			}
			if v.Outcome == label.Normal && slices.Contains(v.Hits, 2) {
				claimed++
			}
			got, err := p.Confirm(t.Context(), 0, one, []label.ID{1, 2, 3}, false, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := []label.ID{1}
			switch way {
			case 10, 11:
				want = []label.ID{1, 2}
			case 12:
				want = nil
			}
			if !slices.Equal(got, want) {
				t.Errorf("sanitizers %v, way %d: confirmed %v, want %v; the replay: %+v", sanitize, way, got, want, v)
			}
		}
		t.Logf("sanitizers %v: %d of 14 forgeries deceive a replay", sanitize, claimed-2)
	}
}

// An address that an input holds leads somewhere else in the run that is watched: each
// server has the program at a place of its own.
func TestEachServerLiesElsewhere(t *testing.T) {
	const program = `
#include <stdint.h>
#define BIT(n) if (at >> (n) & 1) klabel_hit(n + 1)
int main(void)
{
    uintptr_t at = (uintptr_t)main >> 12;
    BIT(0); BIT(1); BIT(2); BIT(3); BIT(4); BIT(5); BIT(6); BIT(7); BIT(8); BIT(9); BIT(10); BIT(11);
    BIT(12); BIT(13); BIT(14); BIT(15); BIT(16); BIT(17); BIT(18); BIT(19); BIT(20); BIT(21);
    return klee_int("x");
}`
	if b, err := os.ReadFile("/proc/sys/kernel/randomize_va_space"); err != nil || string(b) != "2\n" {
		t.Skip("SKIPPED: this kernel is told to place programs where they always are")
	}
	for _, sanitize := range []bool{false, true} {
		p := newPool(t, Options{Binary: build(t, program, sanitize), MaxID: 61, Workers: 1})
		if err := p.Watchable(); err != nil {
			t.Skipf("SKIPPED: runs cannot be watched here: %v", err)
		}
		one := test(i32("x", 1))
		v, err := p.Replay(t.Context(), 0, one)
		if err != nil || v.Outcome != label.Normal {
			t.Fatalf("%+v, %v", v, err)
		}
		var all []label.ID
		for id := range label.ID(23) {
			all = append(all, id)
		}
		seen, err := p.Confirm(t.Context(), 0, one, all, false, 0)
		if err != nil || len(seen) == 0 {
			t.Fatalf("%v, %v", seen, err)
		}
		slices.Sort(v.Hits)
		if slices.Equal(seen, v.Hits) { // one of 4 million
			t.Errorf("sanitizers %v: both runs have the program at the same place", sanitize)
		}
	}
}

// A program that begins only where nobody watches it has nothing confirmed: it is not
// taken for one that cannot be watched.
func TestUnwillingPrograms(t *testing.T) {
	for name, body := range map[string]string{"ends": "_exit(0)", "stops": "raise(SIGSTOP)", "crashes": "abort()"} {
		p := newPool(t, Options{MaxID: 61, Workers: 1, StartLimit: 3 * time.Second, Binary: build(t, `
#include <fcntl.h>
#include <signal.h>
__attribute__((constructor)) static void first(void)
{
    char line[512] = "";
    int fd = open("/proc/self/cmdline", O_RDONLY), i;
    for (i = read(fd, line, sizeof line - 1); i > 0; i--)
        if (line[i - 1] == 0) line[i - 1] = ' ';
    close(fd);
    if (strstr(line, "watched")) `+body+`;
}
int main(void) { if (klee_int("x") == 7) klabel_hit(1); else klabel_hit(2); return 0; }`, false)})
		one := test(i32("x", 7))
		v, err := p.Replay(t.Context(), 0, one)
		if err != nil || v.Outcome != label.Normal || !slices.Contains(v.Hits, 1) {
			t.Fatalf("%s: %+v, %v", name, v, err)
		}
		if _, err := findSites(p.opts.Binary); err != nil {
			t.Fatal(err)
		}
		why := p.Watchable()
		seen, err := p.Confirm(t.Context(), 0, one, []label.ID{1, 2}, false, 0)
		if errors.Is(why, toolchain.ErrNoBreakpoints) || errors.Is(why, unix.EPERM) {
			t.Skip("SKIPPED: runs cannot be watched here: ", why)
		}
		if why != nil || err != nil || len(seen) != 0 {
			t.Errorf("%s: watchable: %v; confirmed %v, %v", name, why, seen, err)
		}
	}
}
