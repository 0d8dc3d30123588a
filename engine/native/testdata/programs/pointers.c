/* expect: greybox labels=1,2,4,6,7 infeasible=3,5,8 complete */
/* A pointer that may lead to any of 200 objects, more than are looked at in one go. */
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int klabel_wants(int);
void klabel_label(int, int);
#define LABEL(i, p) if (klabel_wants(i)) klabel_label(i, !!(p))

struct thing {
    int value;
    struct thing *next;
    char name[8];
};

static struct thing *table[200];

int main(void)
{
    unsigned char i;
    struct thing *p;

    for (int k = 0; k < 200; k++) {
        p = malloc(sizeof *p);
        p->value = k * 7 % 211;
        p->next = k ? table[k - 1] : NULL;
        memset(p->name, 'a' + k % 26, sizeof p->name);
        table[k] = p;
    }
    klee_make_symbolic(&i, sizeof i, "i");
    if (i >= 200)
        klee_silent_exit(0);
    p = table[i];
    int v = p->value;
    LABEL(1, v == 210);
    LABEL(2, v == 0);
    LABEL(3, v == 211);
    if (i > 190) {
        LABEL(4, p->next->value == 195 * 7 % 211);
        LABEL(5, p->next->value == 3 * 7 % 211);
    }
    p->value += 1000;
    LABEL(6, table[150]->value >= 1000);
    LABEL(7, table[7]->value < 1000);
    LABEL(8, table[i]->value < 1000);
    klee_silent_exit(0);
}
