/* Hard spots: records with a length and a check in front of each, nested, in a buffer. */
#include "klee/klee.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 96, DEEPEST = 4 };

static int depth, texts;

static int record(const unsigned char *p, int n)
{
    unsigned char sum = 0;
    int i, at, length;

    for (at = 0; at + 3 <= n; at += 3 + length) {
        length = p[at + 1];
        if (length == 0)
            return texts;
        if (length > n - at - 3)
            return -1;
        for (sum = 0, i = 0; i < length; i++)
            sum = (unsigned char)(sum * 3 + p[at + 3 + i]);
        if (sum != p[at + 2])
            return -2;
        switch (p[at]) {
        case 'T':
            if (length > 12 && memcmp(p + at + 3, "title", 5) == 0)
                texts++;
            break;
        case 'L':
            if (depth == DEEPEST)
                return -3;
            depth++;
            if (record(p + at + 3, length) < 0)
                return -4;
            depth--;
            break;
        case 'E':
            if (depth == 2 && texts == 1)
                return 5;
            break;
        default:
            return -5;
        }
    }
    return texts;
}

int main(void)
{
    unsigned char buffer[SIZE];

    klee_make_symbolic(buffer, sizeof buffer, "buffer");
    return record(buffer, SIZE) > 0;
}
