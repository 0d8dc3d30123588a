/* What else of stdlib.h, stdio.h, string.h and strings.h programs call now and then. */
#include "libc.h"

void *aligned_alloc(size_t alignment, size_t size);
int vsnprintf(char *dst, size_t size, const char *format, va_list ap);
int tolower(int c);

int posix_memalign(void **p, size_t alignment, size_t size)
{
    if (alignment < sizeof *p || (alignment & (alignment - 1))) return 22;
    *p = aligned_alloc(alignment, size);
    return *p ? 0 : 12;
}
void *reallocarray(void *p, size_t n, size_t size)
{
    if (size && n > (size_t)-1 / size) {
        klabel_touches_errno();
        return NULL;
    }
    return realloc(p, n * size);
}

long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }
long long imaxabs(long long n) { return n < 0 ? -n : n; }
int ffs(int n) { return n ? __builtin_ctz((unsigned)n) + 1 : 0; }
int ffsl(long n) { return n ? __builtin_ctzl((unsigned long)n) + 1 : 0; }
int ffsll(long long n) { return n ? __builtin_ctzll((unsigned long long)n) + 1 : 0; }

size_t strlcpy(char *dst, const char *src, size_t size)
{
    size_t n = strlen(src);
    if (size) {
        size_t k = n < size ? n : size - 1;
        memcpy(dst, src, k);
        dst[k] = 0;
    }
    return n;
}
size_t strlcat(char *dst, const char *src, size_t size)
{
    size_t n = strnlen(dst, size);
    return n == size ? n + strlen(src) : n + strlcpy(dst + n, src, size - n);
}
char *stpncpy(char *dst, const char *src, size_t n)
{
    size_t i = 0, end;
    for (; i < n && src[i]; i++) dst[i] = src[i];
    end = i;
    for (; i < n; i++) dst[i] = 0;
    return dst + end;
}
char *strcasestr(const char *hay, const char *needle)
{
    for (;; hay++) {
        size_t i = 0;
        while (needle[i] && tolower((unsigned char)hay[i]) == tolower((unsigned char)needle[i])) i++;
        if (!needle[i]) return (char *)hay;
        if (!*hay) return NULL;
    }
}
void *memccpy(void *dst, const void *src, int c, size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    for (; n; n--)
        if ((*d++ = *s++) == (unsigned char)c) return d;
    return NULL;
}
void explicit_bzero(void *p, size_t n) { memset(p, 0, n); }
void swab(const void *src, void *dst, ssize_t n)
{
    const char *s = src;
    char *d = dst;
    for (; n > 1; n -= 2, s += 2, d += 2) {
        char first = s[0];
        d[0] = s[1];
        d[1] = first;
    }
}

int vasprintf(char **out, const char *format, va_list ap)
{
    va_list again;
    int n;
    __builtin_va_copy(again, ap);
    n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    *out = malloc((size_t)n + 1);
    klabel_gap("an allocation that fails was not tried");
    return *out ? vsnprintf(*out, (size_t)n + 1, format, ap) : -1;
}
int asprintf(char **out, const char *format, ...)
{
    va_list ap;
    int n;
    va_start(ap, format);
    n = vasprintf(out, format, ap);
    va_end(ap);
    return n;
}
int dprintf(int fd, const char *format, ...)
{
    va_list ap;
    int n;
    (void)fd;
    klabel_touches_errno();
    va_start(ap, format);
    n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    return n;
}
int __printf_chk(int flag, const char *format, ...)
{
    va_list ap;
    int n;
    (void)flag;
    klabel_touches_errno();
    va_start(ap, format);
    n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    return n;
}
int __fprintf_chk(void *file, int flag, const char *format, ...)
{
    va_list ap;
    int n;
    (void)file;
    (void)flag;
    klabel_touches_errno();
    va_start(ap, format);
    n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    return n;
}

int getchar_unlocked(void) { return getchar(); }
int getc_unlocked(void *file) { return fgetc(file); }
int putchar_unlocked(int c) { return (unsigned char)c; }
int putc_unlocked(int c, void *file)
{
    (void)file;
    return (unsigned char)c;
}
char *gets(char *s)
{
    size_t n = 0;
    int c;
    while ((c = getchar()) >= 0 && c != '\n') s[n++] = (char)c;
    if (c < 0 && n == 0) return NULL;
    s[n] = 0;
    return s;
}
ssize_t getdelim(char **line, size_t *size, int end, void *file)
{
    size_t n = 0;
    int c = 0;
    while (c != end && (c = fgetc(file)) >= 0) {
        if (!*line || n + 2 > *size) {
            char *more = realloc(*line, *line && *size ? *size * 2 : 120);
            if (!more) return -1;
            *size = *line && *size ? *size * 2 : 120;
            *line = more;
        }
        (*line)[n++] = (char)c;
        if (c == end) break;
    }
    if (n == 0) return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}
ssize_t getline(char **line, size_t *size, void *file) { return getdelim(line, size, '\n', file); }

static void drawn(void) { klabel_gap("random numbers are others"); }
static unsigned long long state = 0x1234abcd330eULL;
static unsigned long long step(void)
{
    drawn();
    return state = (state * 0x5deece66dULL + 11) & 0xffffffffffffULL;
}
void srand48(long seed) { state = ((unsigned long long)(unsigned)seed << 16) + 0x330e; }
long lrand48(void) { return (long)(step() >> 17); }
long mrand48(void) { return (int)(step() >> 16); }
double drand48(void) { return (double)step() * 0x1p-48; }
unsigned arc4random(void) { return (unsigned)mrand48(); }
unsigned arc4random_uniform(unsigned most) { return most ? arc4random() % most : 0; }
ssize_t getrandom(void *p, size_t n, unsigned flags)
{
    unsigned char *d = p;
    (void)flags;
    for (size_t i = 0; i < n; i++) d[i] = (unsigned char)arc4random();
    return (ssize_t)n;
}

long sysconf(int name)
{
    klabel_gap("sysconf gives other numbers");
    return name * 0 + 4096;
}
unsigned getuid(void)
{
    klabel_gap("the user has another number");
    return 1000;
}
unsigned geteuid(void) { return getuid(); }
