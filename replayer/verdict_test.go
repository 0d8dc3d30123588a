package replayer

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"klabel/ktest"
	"klabel/label"
)

// kinds is one program with many ends; the input says which one.
const kinds = `
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
extern int dprintf(int, const char *, ...);
struct pair { int a[2]; int b; };
static int use(volatile int *p, int i) { return p[i]; }
static int many(int n) { volatile char a[100]; a[0] = (char)n; return n == 0 ? 0 : a[0] + many(n + 1); }
static void bye(void) { klabel_hit(3); }
int main(void)
{
    int kind = klee_int("kind");
    int zero = klee_int("zero");
    klabel_hit(1);
    switch (kind) {
    case 0: break;
    case 1: { int *p = malloc(8); return use(p, 2 + zero); }
    case 2: return 1 / zero;
    case 3: abort();
    case 4: exit(7);
    case 5: for (;;) ;
    case 6: for (;;) { char *p = malloc(1 << 20); memset(p, 1, 1 << 20); }
    case 7: for (zero = 0; zero < 6; zero++) if (fork() < 0) break; for (;;) sleep(1);
    case 8: { int fd = open("big", O_CREAT | O_WRONLY, 0600); static char b[1 << 20];
              for (;;) if (write(fd, b, sizeof b) < 0) break; break; }
    case 9: klabel_hit(getchar() == EOF ? 2 : 4); break;
    case 10: mkdir("d", 0700); if (chdir("d") == 0) { close(open("f", O_CREAT | O_WRONLY, 0)); chdir("/"); } break;
    case 11: for (zero = 0; zero < 300000; zero++) printf("line %d\n", zero); break;
    case 12: raise(SIGKILL); break;
    case 13: klee_assume(zero != 0); break;
    case 14: klee_report_error("f.c", 12, "bad state", "user.err");
    case 15: klee_assert(zero == 1); break;
    case 16: { int *p = malloc(4); free(p); return use(p, zero); }
    case 17: { int a[4] = {0}; return use(a, 4 + zero); }
    case 18: { volatile int *p = 0; return p[zero]; }
    case 19: zero = 0x7fffffff; zero += kind; zero <<= 3; klabel_hit(2); break;
    case 20: klee_silent_exit(3);
    case 21: atexit(bye); break;
    case 22: if (fork() == 0) { setsid(); for (;;) sleep(1); } break;
    case 23: klee_abort();
    case 24: _exit(0);
    case 25: return many(1);
    case 26: { struct pair p = {{1, 2}, 3}; return p.a[2 + zero]; }
    case 27: { void *p = malloc((size_t)1 << 60); klabel_hit(p == NULL ? 2 : 4); break; }
    case 28: close(0); close(1); close(2); { int *p = malloc(8); return use(p, 2 + zero); }
    case 29: if (fork() == 0) { if (fork() == 0) for (;;) sleep(1); setsid(); _exit(0); } wait(0); break;
    case 30: mkdir("locked", 0700); close(open("locked/f", O_CREAT, 0)); chmod("locked", 0); break;
    case 31: { extern char **environ; klabel_hit(environ[0] == NULL && getenv("PATH") == NULL ? 2 : 4); break; }
    case 32: { int fd = open("/dev/null", O_RDONLY); klabel_hit(fd == 3 ? 2 : 4); break; }
    case 33: { char b[4]; klabel_hit(getcwd(b, 4) == NULL ? 2 : 4); klabel_hit(access("f", F_OK) ? 5 : 6);
               close(open("f", O_CREAT, 0600)); break; }
    case 35: for (;;) if (write(1, "more and more and more and more\n", 32) < 0) break;
    case 36: { int *p = malloc(8); return use(p, 0x7fffffff + zero); }
    case 37: { int *p = malloc(32); int *q = malloc(32); return use(p, 13 + zero) + q[0]; }
    case 34: for (;;) if (fork() == 0) for (;;) sleep(1);
    }
    return 0;
}
`

func TestVerdicts(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, kinds, true), TestTimeout: 2 * time.Second, MemoryMB: 100, FileMB: 4,
		Processes: 16})
	asan := clang(t).HasASan
	for _, c := range []struct {
		name    string
		kind    int32
		outcome label.Outcome
		reason  string
		hits    []label.ID
		asan    bool // cannot be seen without AddressSanitizer
	}{
		{"return", 0, label.Normal, `^$`, []label.ID{1}, false},
		{"heap overflow", 1, label.SanitizerErr, `heap-buffer-overflow at program.c:8$`, nil, true},
		{"division by zero", 2, label.SanitizerErr, `division by zero at program.c:19:22`, nil, true},
		{"abort", 3, label.Aborted, `called abort`, nil, false},
		{"exit code", 4, label.Normal, `exit status 7`, []label.ID{1}, false},
		{"endless loop", 5, label.TimedOut, `longer than 2000 ms`, nil, false},
		{"memory", 6, label.OutOfMemory, `more than 100 MB`, nil, false},
		{"children that never end", 7, label.OutOfMemory, `more than 16 processes`, nil, false},
		{"large file", 8, label.Crashed, `larger than 4 MB`, nil, false},
		{"standard input", 9, label.Normal, `^$`, []label.ID{1, 2}, false},
		{"changes directory", 10, label.Normal, `^$`, []label.ID{1}, false},
		{"prints much", 11, label.Normal, `^$`, []label.ID{1}, false},
		{"killed", 12, label.Crashed, `signal 9`, nil, false},
		{"false assumption", 13, label.Diverged, `assumption`, nil, false},
		{"reported error", 14, label.ReportedErr, `bad state \(f.c:12, user.err\)`, nil, false},
		{"failed assertion", 15, label.Aborted, `assertion failed: zero == 1 \(program.c:3\d`, nil, false},
		{"use after free", 16, label.SanitizerErr, `heap-use-after-free at program.c:8$`, nil, true},
		{"stack overflow of an array", 17, label.SanitizerErr, `stack-buffer-overflow at program.c:8$`, nil, true},
		{"null pointer", 18, label.SanitizerErr, `null pointer|SEGV`, nil, true},
		{"wrap-around is defined", 19, label.Normal, `^$`, []label.ID{1, 2}, false},
		{"silent exit", 20, label.Normal, `exit status 3`, []label.ID{1}, false},
		{"atexit", 21, label.Normal, `^$`, []label.ID{1, 3}, false},
		{"child in a session of its own", 22, label.Normal, `^$`, []label.ID{1}, false},
		{"klee_abort", 23, label.Aborted, `klee_abort`, nil, false},
		{"_exit", 24, label.Normal, `^$`, []label.ID{1}, false},
		{"endless recursion", 25, label.SanitizerErr, `stack-overflow`, nil, true},
		{"index outside a field", 26, label.SanitizerErr, `index 2 out of bounds`, nil, true},
		{"too large an allocation", 27, label.Normal, `^$`, []label.ID{1, 2}, false},
		{"report after close(2)", 28, label.SanitizerErr, `heap-buffer-overflow`, nil, true},
		{"orphan", 29, label.Normal, `^$`, []label.ID{1}, false},
		{"locked directory", 30, label.Normal, `^$`, []label.ID{1}, false},
		{"clean environment", 31, label.Normal, `^$`, []label.ID{1, 2}, false},
		{"first descriptor", 32, label.Normal, `^$`, []label.ID{1, 2}, false},
		{"directory is empty", 33, label.Normal, `^$`, []label.ID{1, 2, 5}, false},
		{"directory is empty again", 33, label.Normal, `^$`, []label.ID{1, 2, 5}, false},
		{"fork bomb", 34, label.OutOfMemory, `more than (16 processes|100 MB)`, nil, false},
		{"prints for ever", 35, label.TimedOut, `longer than 2000 ms`, nil, false},
		{"far outside of memory", 36, label.SanitizerErr, `SEGV at program.c:8$`, nil, true},
		{"heap overflow that falls into what lies beside", 37, label.SanitizerErr, `heap-buffer-overflow`, nil, true},
		{"return, after all that", 0, label.Normal, `^$`, []label.ID{1}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.asan && !asan {
				t.Skip("clang has no AddressSanitizer runtime")
			}
			start := time.Now()
			v, err := p.Replay(t.Context(), 0, test(i32("kind", c.kind), i32("zero", 0)))
			if err != nil {
				t.Fatal(err)
			}
			if v.Outcome != c.outcome || !regexp.MustCompile(c.reason).MatchString(v.Reason) {
				t.Errorf("%s, %q; want %s, %s", v.Outcome, v.Reason, c.outcome, c.reason)
			}
			if v.Outcome == label.Normal && !slices.Equal(v.Hits, c.hits) {
				t.Errorf("hits %v, want %v", v.Hits, c.hits)
			}
			if e := time.Since(start); e > 2*time.Minute {
				t.Errorf("took %v", e)
			}
		})
	}
}

// TestNothing: NULL where a function of the C library is told that there is nothing is
// no error; where there is something, and in the program's own functions, it is one.
func TestNothing(t *testing.T) {
	c := clang(t)
	if !c.HasASan || !c.HasUBSan {
		t.Skip("clang has no AddressSanitizer or UBSan runtime")
	}
	p := newPool(t, Options{Binary: build(t, `
#include <stdlib.h>
#include <string.h>
__attribute__((nonnull)) static int own(char *p, int n) { return n ? *p : 0; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    int kind = klee_int("kind"), n = klee_int("n");
    char b[8] = "1234567", *none = klee_int("given") ? b : 0;

    klabel_hit(1);
    switch (kind) {
    case 0: memcpy(b, none, n); break;
    case 1: memmove(none, b, n); break;
    case 2: memset(none, 0, n); break;
    case 3: n = memcmp(none, b, n) + strncmp(none, none, n); break;
    case 4: qsort(none, n, sizeof(int), compare); break;
    case 5: n = strlen(none); break;
    case 6: n = atoi(none); break;
    case 7: own(none, n); break;
    }
    klabel_hit(2);
    return 0;
}
`, true)})
	for _, c := range []struct {
		kind, n int32
		reason  string // empty: the run ends normally
	}{
		{0, 0, ""}, {1, 0, ""}, {2, 0, ""}, {3, 0, ""}, {4, 0, ""},
		{0, 2, "SEGV on a null pointer"}, {1, 2, "SEGV"}, {2, 2, "SEGV"}, {3, 2, "SEGV"}, {4, 2, "null pointer|SEGV"},
		{5, 0, "SEGV"}, {6, 0, "SEGV"}, {7, 0, "null pointer passed as argument 1"},
	} {
		v, err := p.Replay(t.Context(), 0, test(i32("kind", c.kind), i32("n", c.n), i32("given", 0)))
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome == label.Normal != (c.reason == "") || !regexp.MustCompile(c.reason).MatchString(v.Reason) {
			t.Errorf("kind %d, n %d: %s, %q; want %q", c.kind, c.n, v.Outcome, v.Reason, c.reason)
		}
		if c.reason == "" && !slices.Equal(v.Hits, []label.ID{1, 2}) {
			t.Errorf("kind %d, n %d: hits %v", c.kind, c.n, v.Hits)
		}
	}
}

func TestInputs(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, `
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void sc_assume(int);
int main(int argc, char **argv)
{
    int a, b, i;
    char s[3];
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    if (a == 1 && b == 2) klabel_hit(1);
    klee_make_symbolic(&a, sizeof a, "a");
    if (a == 3) klabel_hit(2);
    klee_make_symbolic(s, sizeof s, NULL);
    if (memcmp(s, "xyz", 3) == 0) klabel_hit(3);
    if (klee_range(5, 6, "fixed") == 5) klabel_hit(4);
    if (klee_range(-3, 10, "r") == 7) klabel_hit(5);
    if (klee_range(20, 30, "beyond") == 20) klabel_hit(6);
    if (__VERIFIER_nondet_int() == 8 && __VERIFIER_nondet_int() == 9) klabel_hit(7);
    if (__VERIFIER_nondet_bool()) klabel_hit(8);
    for (i = 0; i < 1000; i++)
        if (klee_int("more") != 0 || __VERIFIER_nondet_uchar() != 0) klabel_hit(9);
    if (argc == 3 && strcmp(argv[2], "-x") == 0 && argv[3] == NULL) klabel_hit(10);
    if (!klee_is_symbolic(a) && klee_is_replay() && klee_get_value_i32(b) == b) klabel_hit(11);
    sc_assume(a == 3);
    __VERIFIER_assume(b == 2);
    klabel_hit(12);
    return 0;
}`, true)})
	full := func() *ktest.Test {
		return &ktest.Test{Args: []string{"p.bc", "1", "-x"}, Objects: []ktest.Object{
			i32("nondet_17", 1), i32("b", 2), i32("a", 1), i32("nondet_3", 1), i32("a", 3),
			{Name: "unnamed", Data: []byte("xyz")}, i32("r", 7),
			i32("__VERIFIER_nondet_int", 8), i32("__VERIFIER_nondet_int", 9),
			{Name: "__VERIFIER_nondet_bool", Data: []byte{3}}, i32("unused", 5)}}
	}
	v, err := p.Replay(t.Context(), 0, full())
	if err != nil {
		t.Fatal(err)
	}
	if want := []label.ID{1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12}; v.Outcome != label.Normal ||
		!slices.Equal(v.Hits, want) {
		t.Errorf("%+v, want hits %v", v, want)
	}
	for name, change := range map[string]func(*ktest.Test){
		`input b has 2 bytes in the test, the program asks for 4`: func(t *ktest.Test) { t.Objects[1].Data = []byte{1, 2} },
		`input r is 10 in the test, not in -3..9`:                 func(t *ktest.Test) { t.Objects[6] = i32("r", 10) },
	} {
		x := full()
		change(x)
		v, err := p.Replay(t.Context(), 0, x)
		if err != nil || v.Outcome != label.Diverged || v.Reason != name {
			t.Errorf("%+v, %v; want diverged: %s", v, err, name)
		}
	}
}

// What an engine's test leaves open is filled so that assumptions hold.
func TestFillings(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, `
int main(void)
{
    int i;
    if (klee_int("x") == 5) klabel_hit(1);
    for (i = 0; i < 3; i++) { int y = klee_int("y"); klee_assume(y > 0); klee_assume(y != 1); }
    klee_assume(klee_int("x2") != 12345678);
    return 0;
}`, true)})
	v, err := p.Replay(t.Context(), 0, test(i32("x", 5)))
	if err != nil || v.Outcome != label.Normal || !slices.Equal(v.Hits, []label.ID{1}) {
		t.Errorf("%+v, %v", v, err)
	}
	v, err = p.Replay(t.Context(), 0, test(i32("x", 5), i32("y", 1)))
	if err != nil || v.Outcome != label.Diverged {
		t.Errorf("a recorded input breaks an assumption: %+v, %v", v, err)
	}
}

// TestMadeUpAnswers: a standard input that is made up answers in lines, and says how much it does.
func TestMadeUpAnswers(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, `
int main(void)
{
    unsigned char in[16];
    klee_make_symbolic(in, sizeof in, "stdin:content");
    klee_assume(in[15] == 15);
    if (in[0] == '1' && in[1] == 10 && in[2] == '1' && in[14] == '1') klabel_hit(1);
    return 0;
}`, true)})
	v, err := p.Replay(t.Context(), 0, test())
	if err != nil || v.Outcome != label.Normal || !slices.Equal(v.Hits, []label.ID{1}) {
		t.Errorf("%+v, %v", v, err)
	}
}

// What a call has left on the stack is nothing that a later one finds there.
func TestStackIsNoInput(t *testing.T) {
	const source = `
static int leave(int n) { volatile int a[40]; int i; for (i = 0; i < 40; i++) a[i] = n; return a[7]; }
static int look(int n) { volatile int a[40]; return a[n]; }
int main(void)
{
    int n = klee_int("n") + leave(77) - 77;
    klabel_hit(look(n) == 77 ? 1 : 2);
    return 0;
}`
	for _, sanitize := range []bool{false, true} {
		p := newPool(t, Options{Binary: build(t, source, sanitize)})
		v, err := p.Replay(t.Context(), 0, test(i32("n", 7)))
		if err != nil || v.Outcome != label.Normal || !slices.Equal(v.Hits, []label.ID{2}) {
			t.Errorf("sanitize %v: %+v, %v", sanitize, v, err)
		}
	}
}

// A program that goes on for ever with zeros gets other inputs beyond its test; many that
// end are an array; and one that ends by none is said to go on, long before its time is up.
func TestAskingOnAndOn(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, `
int main(void)
{
    int kind = klee_int("kind"), n = 0, i;
    klabel_hit(kind);
    if (kind == 1) for (i = 0; i < 20000; i++) n += klee_int("more");
    if (kind == 2) while (klee_int("more") >= 0) n ^= 1;
    if (kind == 3) for (;;) n += klee_int("more");
    if (kind == 4) while (klee_int("more") == 0) n ^= 1;
    if (kind == 5) for (n = 5;;) klabel_hit(n += klee_int("more") >= 0);
    klabel_hit(9);
    return 0;
}`, true), TestTimeout: 20 * time.Second})
	for _, c := range []struct {
		kind label.ID
		ends bool
	}{{1, true}, {2, true}, {4, true}, {1, true}, {3, false}, {2, true}, {5, false}} {
		v, err := p.Replay(t.Context(), 0, test(i32("kind", int32(c.kind))))
		want := []label.ID{c.kind, 9}
		if !c.ends {
			want = want[:1]
		}
		if err != nil || (v.Outcome == label.Normal) != c.ends || Exhausted(v) == c.ends ||
			!slices.Equal(v.Hits, want) {
			t.Errorf("%d: %+v, %v", c.kind, v, err)
		}
	}
}
