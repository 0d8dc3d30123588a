/* expect: errors=assert.err,abort.err,div.err,free.err,overshift.err,ptr.err,read_only.err,user.err,overflow.err,bad.err tests=21 */
#include <klee/klee.h>
#include <stdlib.h>
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
char *no_such_function(int);
static const char text[] = "fixed";
static int *left(void) { int x = 3; int *volatile p = &x; return p; }
int main(void)
{
    unsigned k, s;
    char a[4] = {0}, *p;
    klee_make_symbolic(&k, sizeof k, "k");
    klee_make_symbolic(&s, sizeof s, "s");
    switch (k) {
    case 0: if (s == 7) __assert_fail("s != 7", "errors.c", 1, "main"); break;
    case 1: abort();
    case 2: return 10 / (s & 1);
    case 3: free(a); break;
    case 4: return 1 << s;
    case 5: if (s < 6) return a[s]; break;
    case 6: *(char *)text = 1; break;
    case 7: klee_assume(s != s); break;
    case 8: no_such_function(1); break;
    case 9: return (int)0x80000000 / (s == 3 ? -1 : 1);
    case 10: p = malloc(3); free(p); return *p;
    case 11: p = malloc(3); free(p); free(p); break;
    case 12: return *left();
    case 13: klee_report_error("errors.c", 1, "reported", "bad.err");
    }
    return 0;
}
