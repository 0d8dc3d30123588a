/* What is glibc's, and gnulib's programs (coreutils) call: streams without locks, what
 * MB_CUR_MAX stands for, characters of several bytes one after the other. */
#include "libc.h"

int fputs(const char *s, void *file);
int fputc(int c, void *file);
size_t fwrite(const void *p, size_t size, size_t n, void *file);
int feof(void *file);
int ferror(void *file);
void clearerr(void *file);
int fflush(void *file);
int fileno(void *file);
int mbtowc(int *to, const char *s, size_t n);
int wctomb(char *to, int c);

int fputs_unlocked(const char *s, void *file) { return fputs(s, file); }
int fputc_unlocked(int c, void *file) { return fputc(c, file); }
int fgetc_unlocked(void *file) { return fgetc(file); }
char *fgets_unlocked(char *s, int n, void *file) { return fgets(s, n, file); }
size_t fread_unlocked(void *p, size_t size, size_t n, void *file) { return fread(p, size, n, file); }
size_t fwrite_unlocked(const void *p, size_t size, size_t n, void *file) { return fwrite(p, size, n, file); }
int feof_unlocked(void *file) { return feof(file); }
int ferror_unlocked(void *file) { return ferror(file); }
void clearerr_unlocked(void *file) { clearerr(file); }
int fflush_unlocked(void *file) { return fflush(file); }
int fileno_unlocked(void *file) { return fileno(file); }
void flockfile(void *file) { (void)file; }
void funlockfile(void *file) { (void)file; }

/* How much a stream holds back, and what was done with it last. */
static size_t held(void *file)
{
    (void)file;
    klabel_gap("how much a stream holds back is another");
    return 0;
}
size_t __fpending(void *file) { return held(file); }
int __freading(void *file) { return (int)held(file); }
int __fwriting(void *file) { return (int)held(file); }

size_t __ctype_get_mb_cur_max(void) { return 1; } /* in the locale "C" */
int mbsinit(const void *state)
{
    (void)state;
    return 1;
}
size_t mbrtowc(int *to, const char *s, size_t n, void *state)
{
    int got = s && n ? mbtowc(to, s, n) : 0;
    (void)state;
    return s && !n ? (size_t)-2 : (size_t)(long)got;
}
size_t mbrlen(const char *s, size_t n, void *state) { return mbrtowc(NULL, s, n, state); }
size_t wcrtomb(char *to, int c, void *state)
{
    (void)state;
    return to ? (size_t)(long)wctomb(to, c) : 1;
}

int posix_fadvise(int fd, long at, long n, int advice)
{
    (void)at;
    (void)n;
    (void)advice;
    return klabel_descriptor(fd) ? 0 : 9;
}

char *nl_langinfo(int item)
{
    switch (item) {
    case 14: return "ANSI_X3.4-1968"; /* CODESET */
    case 0x10000: return ".";         /* RADIXCHAR */
    }
    klabel_gap("the names of days, months and the like are empty");
    return "";
}
