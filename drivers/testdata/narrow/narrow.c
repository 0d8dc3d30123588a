/* What each entry leaves out. The comment in front of a function is what its
   entry says; "exhaustive" is an entry that leaves out nothing. With
   "VARIANT:" in front it is for that variant. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum color { RED, GREEN };
struct pair { int a; unsigned char b; };
struct flags { unsigned low : 3; int high : 5; };
struct mixed { struct pair p; enum color c; double d; };
struct node { int value; struct node *next; };

/* exhaustive */
int scalar(int a, unsigned char b, _Bool c, long long d) { return a + b + c + (d > 0); }

/* exhaustive */
int by_value(struct pair p) { return p.a + p.b; }

/* not within: padding of f that is 0 */
int bit_fields(struct flags f) { return f.low + f.high; }

/* not within: items of enum color
   +wider: exhaustive */
int enumeration(enum color c) { return c == RED; }

/* not within: items of enum color; 12 values of m.d
   +wider: 12 values of m.d */
int inner(struct mixed m) { return m.c == GREEN && m.d > 3; }

/* exhaustive */
int item(const int *p) { return p && *p; }

/* exhaustive */
int two_items(const struct pair *p, const struct pair *q) { return p->a > q->a ? (*p).b : q != 0; }

/* not within: one item behind p; one item behind q; pointers that share nothing */
int same_item(const int *p, const int *q) { return p == q && *p != *q; }

/* not within: one item behind p; one item behind q; pointers that share nothing */
int stored_item(struct pair *p, const struct pair *q) { p->a = 1; return q->a; }

static int second(const int *p) { return p[1]; }

/* not within: one item behind p */
int handed_member(const struct pair *p) { return second(&p->a); }

/* not within: 4 items behind p; n the number of items behind p */
int items(const int *p, int n) { return n > 1 && p[n - 1]; }

static int symbol_found(const char *s, const struct pair *p, int n) { return n > 0 && p[n - 1].a == s[0]; }

/* not within: 8 characters of s; 4 items behind p; pointers that share nothing */
int text_and_structures(const char *s, const struct pair *p, int n) { return symbol_found(s, p, n); }

/* not within: 8 characters of s; 5 items behind t; pointers that share nothing */
int text(const char *s, int t[5]) { return s[0] + t[0]; }

/* not within: one item behind n; pointers 3 deep; pointers that share nothing */
int list(const struct node *n) { return n->next->next->value; }

/* not within: a stub for f; globals as they start: count, outside_may_write, head */
int callback(int (*f)(int), int x) { return f(x); }

static const int table[] = {3, 1, 4};
static const char *const names[] = {"one", "two"};
static int constant_in_fact = 7;

/* exhaustive */
int constants(unsigned i) { return i < 2 ? table[i] + names[i][0] + constant_in_fact : 0; }

static int count;
int outside_may_write;
void increment(void) { count++; }

/* not within: globals as they start: count
   +state: exhaustive
   +calls: 2 calls before it; globals as they start: count */
int state(int x) { return x == count; }

/* not within: globals as they start: outside_may_write
   +state: exhaustive */
int exported(int x) { return x == outside_may_write; }

static int read_count(void) { return count; }

/* not within: globals as they start: count
   +state: exhaustive */
int through_callee(int x) { return x == read_count(); }

static struct node *head;
void set_head(struct node *n) { head = n; }

/* not within: globals as they start: head
   +state: one item behind head */
int pointer_state(int x) { return head && head->value == x; }

static int mutable_target;
static int *const to_target = &mutable_target;

/* not within: globals as they start: mutable_target
   +state: exhaustive */
int through_constant_pointer(void) { return *to_target == 3; }

static int add(int a, int b) { return a + b + count; }
static int sub(int a, int b) { return a - b; }
static int (*const operations[])(int, int) = {add, sub};
static int (*const safe[])(int, int) = {sub};

/* not within: globals as they start: count
   +state: exhaustive */
int through_table(unsigned i, int a) { return i < 2 ? operations[i](a, 1) : 0; }

/* exhaustive */
int safe_table(int a) { return safe[0](a, 1); }

/* not within: static variables as they start: calls */
int own_static(int x)
{
    static int calls;
    static const int limit = 3;
    static int never_written = 4;

    return ++calls > limit + never_written && x;
}

int latch;

/* not within: globals as they start: latch; volatile variables that stay: what reads_once reaches through pointers
   +state: volatile variables that stay: what reads_once reaches through pointers */
int reads_once(void) { return *(volatile int *)&latch > 3; }

volatile int port;

/* not within: volatile variables that stay: port
   +state: volatile variables that stay: port */
int reads_port(void) { return port == 1 && port == 2; }

/* not within: malloc never fails */
int allocates(unsigned char n)
{
    void *p = malloc(n);

    if (p == 0)
        return -1;
    free(p);
    return 0;
}

/* exhaustive */
int harmless(int x)
{
    char to[8];

    memset(to, x, sizeof to);
    return abs(x) + (int)strlen("abc") + to[0];
}

/* not within: klabel's time, rand */
int environment(void) { return time(0) > 5 && rand() == 3; }

int read_sensor(int channel);

/* not within: a stub for read_sensor */
int stubbed(int x) { return read_sensor(x); }

/* not within: 3 further arguments of variadic */
int variadic(int n, ...) { return n; }

/* not within: addresses as they are in address */
int address(int x) { return ((unsigned long)&x & 15) == 4; }

extern const int elsewhere_constant;

/* not within: globals as they start: elsewhere_constant */
int undefined_constant(void) { return elsewhere_constant; }

/* not within: assembly in assembly */
int assembly(int x) { __asm__("" : "+r"(x)); return x; }

union number { int i; float f; };

/* not within: 12 values of u.f */
int bytes_of_a_float(union number u) { return u.i == 3; }

/* not within: klabel's puts */
int prints(int x) { printf("%d, 100%%n\n", x); return puts("done") * 0 + x; }

/* exhaustive */
int only_prints(int x) { if (x > 3) { (void)printf("%d, 100%%n\n", x); puts("done"); } return x; }

/* not within: klabel's printf */
int asks_printf(int x) { return printf("%d", x) < 0; }

/* not within: klabel's printf */
int counts_printed(int x) { int n = 0; printf("%d%n", x, &n); return n; }

/* not within: 15 bytes of f; klabel's fgetc */
int reads_stream(FILE *f) { return fgetc(f) == 'x'; }

/* not within: 8 characters of path; 15 bytes of path; klabel's fopen, fgetc, fclose */
int reads_file(const char *path)
{
    FILE *f = fopen(path, "r");
    int c = f != 0 ? fgetc(f) : -1;
    if (f != 0) fclose(f);
    return c == 'x';
}

/* not within: 3 further arguments of takes_list; klabel's __kva */
int takes_list(int x, va_list list) { return x < 0 ? 0 : va_arg(list, int); }

/* not within: n from 1 to 4, as the length of an array */
int sized(int n) { int t[n]; t[0] = n; return t[n - 1]; }

/* exhaustive */
int main(void) { return scalar(1, 2, 1, 3) == by_value((struct pair){1, 2}); }

/* What a function says of its own parameters, in whichever of its declarations. */
__attribute__((weak)) __attribute__((nonnull)) int both_given(const int *p, const int *q);
int second_given(const int *p, const int *q) __attribute__((cold, __nonnull__(2)));

/* not within: NULL for p, which an attribute forbids; NULL for q, which an attribute forbids */
int both_given(const int *p, const int *q)
{
    return *p > *q;
}

/* not within: NULL for q, which an attribute forbids */
int second_given(const int *p, const int *q)
{
    return p != 0 && *p > *q;
}

struct listed { int n; va_list *list; };

/* not within: one item behind l; NULL only for l->list; pointers that share nothing */
int list_inside(const struct listed *l) { return l->n > 3 && l->list != 0; }

/* What the function of a value returns is a value with a function. */
struct value { struct value *(*of)(struct value *); int kind; };

/* not within: one item behind v; a stub for v->of; a stub for v->of()->of; no stub for v->of()->of()->of; pointers that share nothing */
int calls_itself(struct value *v) { return v->of(v)->kind; }

/* Which pointers are constants, and which lead to them. */
const char *titles[] = {"one", "two"};
const char *const fixed_titles[] = {"one", "two"};
static const char *const *shown = fixed_titles;
typedef const char *pair_of_texts[2];
pair_of_texts both = {"one", "two"};
static int pass(short x) { return x; }
static int (*const steps[])(short) = {pass, pass};
const int (*hook)(int *const);
void show(const char *const *p) { shown = p; }

/* not within: globals as they start: titles
   +state: 8 characters of titles[0]; 8 characters of titles[1]; pointers that share nothing */
int title(unsigned i) { return i < 2 && titles[i][0] == 'z'; }

/* exhaustive */
int fixed_title(unsigned i) { return i < 2 && fixed_titles[i][0] == 'z'; }

/* not within: globals as they start: shown
   +state: 4 items behind shown; 8 characters of shown[0]; 8 characters of shown[1]; 8 characters of shown[2]; 8 characters of shown[3]; pointers that share nothing */
int shown_name(void) { return shown[0][0] == 'z'; }

/* not within: globals as they start: both
   +state: 8 characters of both[0]; 8 characters of both[1]; pointers that share nothing */
int text_of_both(unsigned i) { return i < 2 && both[i][0] == 'z'; }

/* exhaustive */
int stepped(unsigned i) { return i < 2 && steps[i](3) == 4; }

/* not within: globals as they start: hook
   +state: a stub for hook */
int hooked(void) { return hook != 0; }

/* What a board may define once more. */
__attribute__((weak)) int default_hook(int x) { return x; }

/* not within: default_hook as it is here, which is weak */
int calls_weak(int x) { return default_hook(x) == x + 1; }

static int (*volatile vectors[2])(short);

/* not within: volatile variables that stay: vectors */
int reads_vector(int i) { int (*a)(short) = vectors[i & 1]; return a != vectors[i & 1]; }
