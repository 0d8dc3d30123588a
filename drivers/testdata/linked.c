/* Linked structures, globals, and functions that are not defined. */
#include <stddef.h>

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

struct node { int value; struct node *next; };

/* driver: infeasible 4 */
int list(const struct node *head)
{
    int n = 0;

    while (head != NULL) {
        cov_label(n == 2 && head->value == 3, 1, "CC");
        n++;
        head = head->next;
    }
    cov_label(n == 0, 2, "CC");
    cov_label(n == 3, 3, "CC");
    cov_label(n == 4, 4, "CC");
    return n;
}

/* driver: --max-depth 1 --nonnull head; infeasible 6 */
int short_list(const struct node *head)
{
    cov_label(head->value == 6, 5, "CC");
    cov_label(head->next != NULL, 6, "CC");
    return 0;
}

struct tree { int key; struct tree *left; struct tree *right; };

/* driver: --max-depth 2 */
int tree(const struct tree *t, int key)
{
    while (t != NULL) {
        if (key == t->key) {
            cov_label(t->left == NULL && t->right == NULL, 7, "CC");
            cov_label(t->left != NULL && t->right != NULL, 8, "CC");
            return 1;
        }
        t = key < t->key ? t->left : t->right;
    }
    cov_label(1, 9, "STMT");
    return 0;
}

struct person { const char *name; struct person *friend; struct { char *street; int number; } home; };

/* driver: --max-string 3 --max-depth 2 */
int person(const struct person *p)
{
    if (p == NULL || p->friend == NULL || p->friend->name == NULL || p->home.street == NULL) {
        return 0;
    }
    cov_label(p->friend->name[0] == 'B' && p->home.street[0] == 'A' && p->home.number == 7, 10, "CC");
    return 1;
}

int level;
static const char *title;
const int most = 10;
struct node first;

/* driver: --global * */
int globals(int x)
{
    cov_label(level > most && x == level, 11, "CC");
    if (title != NULL) {
        cov_label(title[0] == 'T', 12, "CC");
    }
    cov_label(first.value == 9, 13, "CC");
    return 0;
}

/* driver: --global level --range level:1..3; infeasible 15 16 */
int one_global(void)
{
    cov_label(level == 3, 14, "CC");
    cov_label(level == 4, 15, "CC");
    cov_label(first.value == 1, 16, "CC");
    return level;
}

extern int outside;

/* driver: --global outside */
int undefined_global(void)
{
    cov_label(outside == 12, 17, "CC");
    return outside;
}

int read_sensor(int channel);
void ask(int channel, int *answer);
struct node *find(int key);

/* driver: */
int stubbed(void)
{
    int a = read_sensor(0);
    int b = read_sensor(1);

    cov_label(a == 5 && b == 6, 18, "CC");
    return a + b;
}

/* driver: --stub-outputs */
int stub_outputs(void)
{
    int answer = 0;

    ask(1, &answer);
    cov_label(answer == 42, 19, "CC");
    return answer;
}

/* driver: --stub read_sensor=concrete:7; infeasible 21 */
int concrete_stub(int x)
{
    int r = read_sensor(x);

    cov_label(r == 7, 20, "CC");
    cov_label(r != 7, 21, "CC");
    return 0;
}

/* driver: */
int stub_returns_pointer(int key)
{
    const struct node *n = find(key);

    if (n == NULL) {
        cov_label(1, 22, "STMT");
        return 0;
    }
    cov_label(n->value == key, 23, "CC");
    return 1;
}

static int slow(int x)
{
    return x * x;
}

/* driver: --stub slow=symbolic */
int replaced(int x)
{
    int r = slow(x);

    cov_label(r == -1, 24, "CC");
    return 0;
}

void klee_assume(unsigned long);

/* driver: infeasible 26 */
int assumes(int x)
{
    klee_assume(x > 5);
    cov_label(x == 6, 25, "CC");
    cov_label(x == 5, 26, "CC");
    return x;
}

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);

/* driver: */
int nondeterministic(int x)
{
    int y = __VERIFIER_nondet_int();

    __VERIFIER_assume(y > x);
    cov_label(y == x + 2, 27, "CC");
    return y;
}

/* A parameter that is called like the function. */
/* driver: */
int same_name(int same_name)
{
    cov_label(same_name == 3, 28, "CC");
    return same_name;
}

int main(void)
{
    return list(0);
}

struct shape {
    int kind;
};

struct square {
    struct shape base;
    int side;
};

/* What derives from a structure begins with it. */
/* driver:  */
int area_of(const struct shape *s)
{
    if (!s)
        return -1;
    if (s->kind == 1) {
        const struct square *q = (const struct square *)s;

        cov_label(q->side > 100, 29, "CC");
        return q->side > 100 ? 1 : 2;
    }
    return 5;
}

struct link {
    struct link *next;
};

struct job {
    int priority;
    struct link link;
};

#define job_of(l) ((struct job *)((char *)(l) - __builtin_offsetof(struct job, link)))

/* A list's links lie within what is listed. */
/* driver:  */
int first_urgent(struct link *first)
{
    int n = 0;

    for (; first && n < 2; first = first->next, n++)
        if (job_of(first)->priority > 7) {
            cov_label(n == 1, 30, "CC");
            return n;
        }
    return -1;
}

struct event {
    short code;
};

struct key_event {
    short code;
    int key;
};

/* Both begin with the same member. */
/* driver:  */
int handled(struct event *e)
{
    if (e && e->code == 3) {
        cov_label(((struct key_event *)e)->key == 27, 31, "CC");
        return 1;
    }
    return 2;
}
