/* Calls what the second part of the C library has, on many values, and sums up
   the results: with EXPECTED the sum must be that of a native run. */
#define _GNU_SOURCE
#include <complex.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <klee/klee.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);

static unsigned long sum = 14695981039346656037ul;
static void add(unsigned long v) { sum = (sum ^ v) * 1099511628211ul; sum ^= sum >> 29; }
static void text(const char *s) { while (*s) add((unsigned char)*s++); add(256); }
static void real(double x) { unsigned long u; if (x != x) x = 12345; memcpy(&u, &x, 8); add(u); }
static unsigned long state = 88172645463325252ul;
static unsigned long next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static int sign(int n)
{
    if (n > 0) return 1;
    return n < 0 ? -1 : 0;
}

static void numbers(void)
{
    for (int i = 0; i < 60; i++) {
        static const double special[] = {0.0, -0.0, 1, -1, 0x1p-1074, -0x1p-1030, 0x1.fffffffffffffp1023, 0.1, 3.75, 1e300};
        unsigned long u = next();
        int e = 0;
        double x, y, whole;
        float f, g, wholef;
        memcpy(&x, &u, 8);
        if (i < 10) x = special[i];
        if (i == 10) x = INFINITY;
        u = next();
        memcpy(&y, &u, 8);
        f = (float)x, g = (float)y;
        real(frexp(x, &e));
        if (isfinite(x)) add((unsigned)e);
        real(modf(x, &whole)), real(whole);
        real(modff(f, &wholef)), real(wholef);
        real(ldexp(x, (int)(u % 5000) - 2500)), real(scalbn(x, (int)(u % 200) - 100));
        real(ldexpf(f, (int)(u % 300) - 150)), real(frexpf(f, &e));
        real(nextafter(x, y)), real(nextafter(x, x)), real(nextafterf(f, g));
        real(logb(x)), add((unsigned)ilogb(x));
        real(creal(conj(x + y * I))), real(cimag(conj(x + y * I)));
    }
}

static void calendar(void)
{
    for (int i = 0; i < 12; i++) {
        time_t t = (time_t)(next() % 400000000000ul) - 150000000000l, back;
        struct tm tm = *gmtime(&t);
        char line[200];
        add((unsigned)tm.tm_yday), add((unsigned)tm.tm_wday);
        add(strftime(line, sizeof line, "%Y-%m-%d %H:%M:%S %j %a %A %b %B %y %e %I %p %F %T %D %R %u %w %%", &tm));
        text(line);
        add(strftime(line, 5, "%Y-%m", &tm));
        back = timegm(&tm);
        add(back == t);
        tm.tm_mon += (int)(next() % 60) - 30, tm.tm_mday += (int)(next() % 900) - 400, tm.tm_sec -= 100000;
        add((unsigned long)timegm(&tm)), text(asctime(&tm));
        real(difftime(t, back + 7));
    }
}

static void wide(void)
{
    static const wchar_t *const w[] = {L"", L"a", L"abc", L"abd", L"ABC", L"key=value", L"b\x7f\x20ac", L"aaab"};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++) {
            wchar_t room[40];
            const wchar_t *p;
            char narrow[40];
            add((unsigned)sign(wcscmp(w[i], w[k]))), add((unsigned)sign(wcsncmp(w[i], w[k], 2)));
            wcscpy(room, w[i]), wcscat(room, w[k]), wcsncat(room, w[i], 2);
            add(wcslen(room)), add((unsigned)wmemcmp(room, w[i], wcslen(w[i])));
            p = wcsstr(room, w[k]), add(p ? (unsigned long)(p - room) : 99);
            p = wcschr(room, L'b'), add(p ? (unsigned long)(p - room) : 99);
            p = wcsrchr(room, L'a'), add(p ? (unsigned long)(p - room) : 99);
            add(wcsspn(room, L"abc")), add(wcscspn(room, L"=d"));
            add(wcstombs(narrow, w[i], 6)), add(mbstowcs(room, "plain", 4));
            wcsncpy(room, w[k], 5), add((unsigned long)room[4]);
            add((unsigned)sign(wcscasecmp(w[i], w[k]))), add((unsigned)sign(wcsncasecmp(w[i], w[k], 2)));
            wchar_t *rest, *word = wcstok(wcpcpy(room, w[i]) ? room : room, w[k], &rest);
            for (int n = 0; word && n < 9; n++) add(wcslen(word)), word = wcstok(NULL, L"=b", &rest);
        }
    static const wchar_t *const numbers[] = {L"", L" -12x", L"0x1fz", L"077", L"99999999999999999999", L"1.5e2,", L"\x20ac"};
    for (int i = 0; i < 7; i++) {
        wchar_t *end;
        const wchar_t *from = numbers[i];
        const char *back;
        char narrow[40];
        wchar_t room[40];
        add((unsigned long)wcstol(numbers[i], &end, 0)), add((unsigned long)(end - numbers[i]));
        add(wcstoull(numbers[i], &end, 16)), add((unsigned long)(end - numbers[i]));
        if (i != 2 && i != 4) real(wcstod(numbers[i], &end)), add((unsigned long)(end - numbers[i]));
        add(wcsrtombs(narrow, &from, 4, NULL)), add(from ? (unsigned long)(from - numbers[i]) : 99);
        back = "plain", add(mbsrtowcs(room, &back, i, NULL)), add(back != NULL), add(i > 0 ? room[0] : 0);
    }
    for (int c = 0; c < 300; c++)
        add(!!iswalpha(c) | !!iswdigit(c) << 1 | !!iswspace(c) << 2 | !!iswupper(c) << 3 | !!iswpunct(c) << 4 |
            !!iswprint(c) << 5 | !!iswxdigit(c) << 6), add(towupper(c)), add(towlower(c));
}

static void options(void)
{
    static char *const words[] = {"-a", "-b", "-bx", "-ab", "-abq", "--alpha", "--beta=3", "--beta", "--al", "--be=",
        "--wrong", "-z", "--", "-", "file", "other", "--gamma", "--gamma=7", "--alpha=1", "-c", "-cx"};
    int flag = 0;
    const struct option longs[] = {{"alpha", no_argument, NULL, 'A'}, {"beta", required_argument, NULL, 'B'},
        {"gamma", optional_argument, NULL, 'G'}, {"flag", no_argument, &flag, 5}, {NULL, 0, NULL, 0}};
    static const char *const shorts[] = {"ab:c::", "+ab:c::", ":ab:c::"};
    opterr = 0;
    for (int round = 0; round < 80; round++) {
        char *argv[9] = {"program"};
        int argc = 1 + (int)(next() % 7), c, index = -1;
        for (int i = 1; i < argc; i++) argv[i] = words[next() % (sizeof words / sizeof words[0])];
        argv[argc] = NULL;
        optind = 0;
        while ((c = round & 1 ? getopt_long(argc, argv, shorts[round % 3], longs, &index)
                              : getopt(argc, argv, shorts[round % 3])) != -1) {
            add((unsigned)c), add((unsigned)optind), add((unsigned)index);
            text(optarg ? optarg : "none");
            if (c == '?' || c == ':') add((unsigned)optopt);
        }
        add((unsigned)optind);
        for (int i = 0; i < argc; i++) text(argv[i]);
    }
}

static int caught;
static void catch(int n) { caught += n; }
static void *work(void *p) { *(int *)p += 5; return p; }

static void others(void)
{
    char room[20] = "abc", *made = NULL;
    void *result, *p;
    pthread_t id;
    int n = 3;
    add(strlcpy(room, "a long line of text", 8)), text(room);
    add(strlcat(room, " and more", 12)), text(room);
    *stpncpy(room, "xyz", 3) = '!', text(room);
    text(strcasestr("Hello World", "o wOR")), add(strcasestr("Hello", "z") == NULL);
    p = memccpy(room, "find:me", ':', 7), add((unsigned long)((char *)p - room));
    swab("badcfe", room, 6), text(room);
    for (int i = 0; i < 64; i++) add((unsigned)ffsl(1l << i)), add((unsigned)ffs(i * 12));
    add((unsigned)asprintf(&made, "%d-%s", 42, "x")), text(made), free(made);
    add(strtoumax("0x1F", NULL, 0)), add((unsigned long)imaxabs(-7));
    signal(SIGUSR1, catch), raise(SIGUSR1), add((unsigned)caught);
    signal(SIGUSR1, SIG_IGN), raise(SIGUSR1), add((unsigned)caught);
    add((unsigned)pthread_create(&id, NULL, work, &n)), pthread_join(id, &result), add(result == &n), add((unsigned)n);
    add((unsigned)posix_memalign(&p, 64, 100)), add((unsigned long)p % 64), free(p);
}

/* Threads and what keeps them apart, where nobody waits. */
static pthread_key_t key;
static int ran;
static void once(void) { ran++; }
static void *keeps(void *p)
{
    add(pthread_getspecific(key) == NULL), pthread_setspecific(key, p);
    return pthread_getspecific(key);
}
static void locks(void)
{
    static pthread_once_t when = PTHREAD_ONCE_INIT;
    pthread_mutexattr_t how;
    pthread_mutex_t m;
    pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_t id;
    sem_t s;
    void *got;
    int value = 7, other = 9;
    for (int i = 0; i < 3; i++) add((unsigned)pthread_once(&when, once)), add((unsigned)ran);
    add((unsigned)pthread_mutexattr_init(&how));
    add((unsigned)pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE));
    add((unsigned)pthread_mutex_init(&m, &how)), add((unsigned)pthread_mutexattr_destroy(&how));
    add((unsigned)pthread_mutex_lock(&m)), add((unsigned)pthread_mutex_trylock(&m));
    add((unsigned)pthread_mutex_unlock(&m)), add((unsigned)pthread_mutex_unlock(&m));
    add((unsigned)pthread_mutex_destroy(&m)), add((unsigned)pthread_cond_signal(&c));
    add((unsigned)pthread_rwlock_tryrdlock(&rw)), add((unsigned)pthread_rwlock_unlock(&rw));
    add((unsigned)pthread_rwlock_trywrlock(&rw)), add((unsigned)pthread_rwlock_unlock(&rw));
    add(pthread_equal(pthread_self(), pthread_self()) != 0);
    add((unsigned)pthread_key_create(&key, NULL)), add((unsigned)pthread_setspecific(key, &value));
    pthread_create(&id, NULL, keeps, &other), pthread_join(id, &got);
    add(got == &other), add(pthread_getspecific(key) == &value), add((unsigned)pthread_key_delete(key));
    sem_init(&s, 0, 1), sem_post(&s), sem_wait(&s), sem_getvalue(&s, &value), add((unsigned)value);
    add((unsigned)sem_trywait(&s)), add((unsigned)sem_trywait(&s)), add(errno == EAGAIN);
    add((unsigned)sem_init(&s, 0, 0x80000000u)), add(errno == EINVAL), sem_init(&s, 0, 0x7fffffff);
    add((unsigned)sem_post(&s)), add(errno == EOVERFLOW), add((unsigned)sem_destroy(&s));
}

static void locales(void)
{
    locale_t global = uselocale((locale_t)0), c = newlocale(LC_NUMERIC_MASK, "C", duplocale(global));
    struct lconv *l = localeconv();
    text(l->decimal_point), text(l->thousands_sep), text(l->negative_sign), add((unsigned)l->frac_digits);
    add((unsigned)l->int_n_sign_posn), add(global == LC_GLOBAL_LOCALE), add(c != (locale_t)0);
    add(uselocale(c) == global), add(uselocale((locale_t)0) == c), uselocale(global), freelocale(c);
    add(newlocale(LC_ALL_MASK, "no such", (locale_t)0) == (locale_t)0);
}

char *__xpg_basename(char *), *dirname(char *);
static int by(const void *a, const void *b, void *sign)
{
    add((unsigned)*(const int *)a), add((unsigned)*(const int *)b); /* what is compared, in which order */
    return (*(int *)a / 4 - *(int *)b / 4) * *(int *)sign;
}
static int sign_of_all = 1;
static int plainly(const void *a, const void *b) { return by(a, b, &sign_of_all); }
static void sorts(void)
{
    unsigned state = 1;
    for (int n = 0; n < 20; n++) {
        int v[20], big[20][10];
        for (int i = 0; i < n; i++) v[i] = big[i][0] = (int)((state = state * 1103515245 + 12345) >> 16 & 63), big[i][9] = i;
        qsort(v, (size_t)n, sizeof *v, plainly);
        qsort(big, (size_t)n, sizeof *big, plainly); /* beyond 32 bytes glibc sorts pointers */
        for (int i = 0; i < n; i++) add((unsigned)v[i]), add((unsigned)big[i][0]), add((unsigned)big[i][9]);
    }
}
static int one = 1;
static void rest(void)
{
    static const char *const paths[] = {"/usr/lib/x.c", "x", "x/", "/", "a//b", "", "/a", "a/b/c///", "."};
    int v[7] = {5, 3, 9, 1, 7, 3, 0}, sign = -1;
    double complex z = (4 + 2 * I) / (one + one * I);
    float complex f = (3.0f + 4.0f * I) / (0.0f + 2.0f * one * I);
    char *end;
    for (int i = 0; i < 9; i++) {
        char room[20];
        text(__xpg_basename(strcpy(room, paths[i]))), text(dirname(strcpy(room, paths[i])));
    }
    sorts();
    locks(), locales();
    qsort_r(v, 7, sizeof *v, by, &sign);
    for (int i = 0; i < 7; i++) add((unsigned)v[i]);
    real(creal(z)), real(cimag(z)), real(crealf(f)), real(cimagf(f));
    errno = 0, real(strtod("-1e999", &end)), add((unsigned)errno), add((unsigned char)*end);
    errno = 0, real(strtod("1e-400x", &end)), add((unsigned)errno), add((unsigned char)*end);
    errno = 0, real(strtod("12.5e1", &end)), add((unsigned)errno);
}

static void byteAfterByte(void)
{
    static const char given[] = "a 7\tz~";
    mbstate_t state;
    wchar_t w;
    char back[8];
    memset(&state, 0, sizeof state);
    add(MB_CUR_MAX), add((unsigned)mbsinit(&state));
    for (size_t i = 0; i < sizeof given; i++) {
        w = 1234;
        add(mbrtowc(&w, given + i, 1, &state)), add((unsigned)w);
        add(mbrlen(given + i, 3, &state)), add(wcrtomb(back, given[i], &state)), add((unsigned char)back[0]);
    }
    add(mbrtowc(&w, given, 0, &state)), add(mbrtowc(NULL, NULL, 0, &state)), add(wcrtomb(NULL, 0, &state));
    text(nl_langinfo(CODESET)), text(nl_langinfo(RADIXCHAR));
    add((unsigned)feof_unlocked(stdin)), add((unsigned)ferror_unlocked(stdin));
    add((unsigned)posix_fadvise(1000, 0, 0, POSIX_FADV_NORMAL));
    clearenv();
    add(secure_getenv("KLABEL_NOBODY_SETS_THIS") == NULL);
}

int main(void)
{
    numbers(), calendar(), wide(), options(), others(), rest(), byteAfterByte();
#ifdef EXPECTED
    if (sum != EXPECTED) klee_report_error(__FILE__, __LINE__, "another sum", "sum.err");
#else
    printf("%lu\n", sum);
#endif
    return 0;
}
