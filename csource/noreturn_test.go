package csource

import (
	"maps"
	"slices"
	"testing"
)

func TestNeverReturning(t *testing.T) {
	const text = `
void a(void) __attribute__((__noreturn__));
__attribute__((cold, noreturn)) void b(int x);
_Noreturn void c(void);
extern void d(const char *s, ...) __attribute__((noreturn)) __attribute__((format(printf, 1, 2)));
void e(int noreturns);
# 1 "/usr/include/system.h" 1 3 4
void f(void) __attribute__((__noreturn__));
# 9 "x.c" 2
static int noreturn_count;
int g(void) { noreturn_count++; return noreturn_count; }
__attribute__((noreturn)) static void h(void) { for (;;) ; }
void i(void) { if (noreturn_count) h(); }
`
	got := slices.Sorted(maps.Keys(mustLoad(t, text).NeverReturning()))
	if want := []string{"a", "b", "c", "d", "h"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
