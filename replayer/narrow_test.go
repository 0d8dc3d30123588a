package replayer

import (
	"slices"
	"testing"

	"klabel/label"
)

// narrowBuild compiles a program of 32 bits; where that cannot be, the test is skipped.
func narrowBuild(t *testing.T, source string, sanitize bool) string {
	t.Helper()
	if why := clang(t).Runs32(t.Context()); why != nil {
		t.Skipf("SKIPPED: %v", why)
	}
	return build(t, source, sanitize, "-m32")
}

// TestNarrow: programs of 32 bits are replayed, and seen from outside, as others are.
func TestNarrow(t *testing.T) {
	const program = `
int main(void)
{
    long n = klee_int("x");
    klabel_hit(sizeof n);
    if (sizeof(void *) == 4) klabel_hit(5);
    if (n * 2 < 0 && n > 0) klabel_hit(6);
    klee_make_symbolic(&n, sizeof n, "y");
    if (n == 7) klabel_hit(7);
    return 0;
}`
	for _, sanitize := range []bool{false, true} {
		p := newPool(t, Options{Binary: narrowBuild(t, program, sanitize), MaxID: 61, Workers: 1})
		one := test(i32("x", 1<<30), i32("y", 7))
		v, err := p.Replay(t.Context(), 0, one)
		if err != nil || v.Outcome != label.Normal {
			t.Fatalf("%+v, %v", v, err)
		}
		want := []label.ID{4, 5, 6, 7}
		if slices.Sort(v.Hits); !slices.Equal(v.Hits, want) {
			t.Errorf("sanitizers %v: hits %v, want %v", sanitize, v.Hits, want)
		}
		if err := p.Watchable(); err != nil {
			t.Logf("runs cannot be watched here: %v", err)
			continue
		}
		seen, err := p.Confirm(t.Context(), 0, one, append(want, 8), false, 0)
		if err != nil || !slices.Equal(seen, want) {
			t.Errorf("sanitizers %v: %v are confirmed, want %v; %v", sanitize, seen, want, err)
		}
	}
}

// TestNarrowIsConfined: system calls of i386 are refused as those of x86-64 are.
func TestNarrowIsConfined(t *testing.T) {
	const program = `
#include <errno.h>
#include <sys/syscall.h>
static void want(int id, long result, int number) { if (result == -1 && errno == number) klabel_hit(id); }
int main(void)
{
    want(1, syscall(SYS_ptrace, 0, 0, 0, 0), EPERM);
    want(2, syscall(SYS_unshare, 0), EPERM);
    want(3, syscall(SYS_socketcall, 0, 0), EPERM);
    want(4, syscall(SYS_memfd_create, "m", 0), ENOSYS);
    want(5, syscall(SYS_socket, 1, 1, 0), EACCES);
    want(6, syscall(SYS_umount, ""), EPERM);
    return 0;
}`
	p := newPool(t, Options{Binary: narrowBuild(t, program, false), MaxID: 61, Workers: 1})
	v, err := p.Replay(t.Context(), 0, test())
	if err != nil || v.Outcome != label.Normal {
		t.Fatalf("%+v, %v", v, err)
	}
	if len(v.Hits) == 0 {
		t.Skip("SKIPPED: the kernel has no seccomp")
	}
	if slices.Sort(v.Hits); !slices.Equal(v.Hits, []label.ID{1, 2, 3, 4, 5, 6}) {
		t.Errorf("refused are %v only", v.Hits)
	}
}
