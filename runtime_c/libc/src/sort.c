/* Sorting. What a comparison is asked, and in which order, decides the labels in it and
   the order of what it calls equal: both are as in glibc, which merges halves. The order
   of equals is nobody's promise, though, and other libraries have another: no claim rests
   on it where they are told apart. Here halves are merged in place, without memory of
   their own; so few elements are sorted under exploration that the moves cost nothing. */
#include "libc.h"

typedef int (*comparison)(const void *, const void *, void *);

static void swap(char *a, char *b, size_t size)
{
    for (; size; size--, a++, b++) {
        char t = *a;
        *a = *b;
        *b = t;
    }
}

static int ordered(const char *a, const char *b, size_t size, comparison compare, void *with)
{
    int order = compare(a, b, with);
    if (order == 0) {
        int differ = 0;
        size_t i;
        for (i = 0; i < size; i++) differ |= a[i] ^ b[i];
        klabel_gap_if(differ, "another order of what a comparison calls equal was not tried");
    }
    return order <= 0;
}

static void sort(char *a, size_t n, size_t size, comparison compare, void *with)
{
    size_t left = n / 2, right = n - left;
    char *b = a + left * size, *p;
    if (n <= 1) return;
    sort(a, left, size, compare, with);
    sort(b, right, size, compare, with);
    for (; left > 0 && right > 0; a += size)
        if (ordered(a, b, size, compare, with)) {
            left--;
        } else { /* the first of the right half goes before the left one */
            for (p = b; p > a; p -= size) swap(p - size, p, size);
            b += size;
            right--;
        }
}

static void sort_all(char *base, size_t n, size_t size, comparison compare, void *with)
{
    size_t known = 0;
    while (known < n) known++; /* one number on each path, before it is halved */
    sort(base, known, size, compare, with);
}

void qsort_r(void *base, size_t n, size_t size, comparison compare, void *with)
{
    klabel_compares((int (*)(const void *, const void *))(void (*)(void))compare);
    sort_all(base, n, size, compare, with);
}

static int plain(const void *a, const void *b, void *with)
{
    return (*(int (**)(const void *, const void *))with)(a, b);
}

void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    klabel_compares(compare);
    sort_all(base, n, size, plain, &compare);
}
