/* expect: greybox labels=1,2,3,4,5,6,7,8,10,11,12 incomplete
   The variables of the environment that a program asks for are inputs; what it sets it finds. */
#include <stdlib.h>
#include <string.h>
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    unsigned char x;
    char *level, *home;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x == 1) {
        setenv("SET", "a", 1);
        setenv("SET", "b", 0);
        L(strcmp(getenv("SET"), "a") == 0, 8)
        L(strcmp(getenv("SET"), "b") == 0, 9)
        unsetenv("SET");
        L(getenv("SET") == 0, 10)
        L(setenv("a=b", "", 1) == -1, 11)
        putenv("SET=there");
        L(getenv("SET")[0] == 't', 12)
    } else {
        level = getenv("LEVEL");
        home = getenv("HOME");
        L(level == 0, 1)
        L(level != 0 && level[0] == 0, 2)
        L(level != 0 && strcmp(level, "verbose") == 0, 3)
        L(level != 0 && atoi(level) == 42, 4)
        L(level != 0 && home != 0 && strcmp(level, home) == 0 && home[0] == 'q', 5)
        L(level != getenv("LEVEL") || level == 0, 6)
        L(level == 0 && home != 0 && strlen(home) == 16, 7)
    }
    klee_silent_exit(0);
}
