/* Hard spots: long strings that are compared, searched and counted. */
#include "klee/klee.h"

#include <string.h>

enum { SIZE = 200 };

static int letters(const char *s)
{
    int n = 0;

    for (; *s != '\0'; s++)
        if (*s >= 'a' && *s <= 'z')
            n++;
    return n;
}

static int command(const char *line)
{
    const char *sep = strchr(line, ':');
    size_t n = strlen(line);

    if (strcmp(line, "configuration") == 0)
        return 1;
    if (strncmp(line, "set ", 4) == 0 && sep != NULL && strcmp(sep, ":verbose") == 0)
        return 2;
    if (n > 60 && line[n - 1] == '!')
        return 3;
    if (n > 120 && letters(line) > 100)
        return 4;
    if (strstr(line, "needle") != NULL && n > 20 && n < 30)
        return 5;
    if (sep != NULL && sep - line == 33 && strchr(sep + 1, ':') != NULL)
        return 6;
    return 0;
}

int main(void)
{
    char line[SIZE];

    klee_make_symbolic(line, sizeof line, "line");
    line[SIZE - 1] = '\0';
    return command(line);
}
