/* Holds the library's strtod and sscanf against the C library's on random texts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double k_strtod(const char *, char **);
int k_sscanf(const char *, const char *, ...);
void klabel_gap(const char *);

static int gaps;
void klabel_gap(const char *what)
{
    (void)what;
    gaps++;
}
void klabel_has_read(int);
void klabel_has_read(int got) { (void)got; }

static unsigned long state = 88172645463325252ul;
static unsigned pick(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 11) % n);
}

static const char *formats[] = {"%d", "%i", "%u", "%x", "%o", "%3d%d", "%hd %hhd", "%ld,%d", "%s %d", "%5s%c", "%[0-9]%d", "%[^e ]%n", "%lf", "%f%d", "%lg%c",
                                "%2lf%lf", "%*d%d", "x%d", "%% %d", "%c%c", "%2c%d", "%d%n", " %d", "%[]a]%s", "%[1-3]%i", "%4i%x"};

/* Beyond all powers of ten nothing depends on the digits: that is no gap. */
static int beyond(const char *text)
{
    char *a, *b;
    double x, y;
    int e;
    errno = gaps = 0;
    x = strtod(text, &a);
    e = errno;
    errno = 0;
    y = k_strtod(text, &b);
    if (gaps == 0 && a == b && e == errno && memcmp(&x, &y, sizeof x) == 0) return 0;
    printf("strtod \"%s\": %g, errno %d, %d gaps, want %g, errno %d\n", text, y, errno, gaps, x, e);
    return 1;
}

int main(void)
{
    static const char alphabet[] = "0123456789012345-+. eExXaA,]%fn";
    int wrong = beyond("1e331") + beyond("-999e400x") + beyond("0.001e999") + beyond("3e-420") + beyond("-1e-999");
    int compared = 0, i, k;
    for (i = 0; i < 400000; i++) {
        char text[16];
        int n = (int)pick(12);
        for (k = 0; k < n; k++) text[k] = alphabet[pick(sizeof alphabet - 1)];
        text[n] = 0;
        gaps = 0;
        if (i % 2) {
            char *a, *b;
            double x = strtod(text, &a), y = k_strtod(text, &b);
            if (gaps) continue;
            compared++;
            if (a != b || memcmp(&x, &y, sizeof x) != 0) {
                if (wrong++ < 5) printf("strtod \"%s\": %.17g %ld, want %.17g %ld\n", text, y, (long)(b - text), x, (long)(a - text));
            }
        } else {
            const char *f = formats[pick(sizeof formats / sizeof *formats)];
            unsigned char a[3][64], b[3][64];
            int x, y;
            memset(a, 7, sizeof a);
            memset(b, 7, sizeof b);
            x = sscanf(text, f, a[0], a[1], a[2]);
            y = k_sscanf(text, f, b[0], b[1], b[2]);
            if (gaps) continue;
            compared++;
            if (x != y || (x > 0 && memcmp(a, b, sizeof a) != 0)) {
                if (wrong++ < 5) printf("sscanf(\"%s\", \"%s\") = %d, want %d\n", text, f, y, x);
            }
        }
    }
    printf("%d compared\n", compared);
    return wrong != 0 || compared < 100000;
}
