/* Declarations of the library; no system header is used. */
#ifndef KLABEL_LIBC_H
#define KLABEL_LIBC_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __builtin_va_list va_list;
#define NULL ((void *)0)
#define va_start(ap, last) __builtin_va_start(ap, last)
#define va_arg(ap, type) __builtin_va_arg(ap, type)
#define va_copy(to, ap) __builtin_va_copy(to, ap)
#define va_end(ap) __builtin_va_end(ap)

/* the engine's own */
void *malloc(size_t size);
void *realloc(void *p, size_t size);
void free(void *p);
void *memcpy(void *dst, const void *src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int c, size_t n);
void abort(void) __attribute__((noreturn));
void klee_make_symbolic(void *p, size_t size, const char *name);
int klee_range(int from, int to, const char *name);
void klee_assume(unsigned long condition);
unsigned klee_is_symbolic(unsigned long n);
void klee_report_error(const char *file, int line, const char *message, const char *suffix) __attribute__((noreturn));

/* what C leaves open: any number, any number with the sign of the argument */
int klabel_any(void);
int klabel_sign(int difference);
/* natively, errno may have been set here; has it been, since the last question? */
void klabel_touches_errno(void);
/* what follows is not as it is natively: no claim rests on it */
void klabel_gap(const char *what);
void klabel_gap_if(int maybe, const char *what);
/* how often and in which order this function is asked to compare, is not known */
void klabel_compares(int (*compare)(const void *, const void *));
int klabel_errno_touched(void);
/* so many times in a row the program has read where nothing can be read */
void klabel_starved(int times);
/* stdio.c: counts for that; whether a reading function got anything */
void klabel_has_read(int got);

/* string.c */
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strcpy(char *dst, const char *src);
char *strchr(const char *s, int c);

/* ctype.c */
int isspace(int c);
int isdigit(int c);
int isalpha(int c);
int isupper(int c);
int tolower(int c);
int toupper(int c);

/* stdlib.c */
int *__errno_location(void);
unsigned long strtoul(const char *s, char **end, int base);
long strtol(const char *s, char **end, int base);
long long strtoll(const char *s, char **end, int base);
unsigned long long strtoull(const char *s, char **end, int base);

/* format.c */
int vsnprintf(char *dst, size_t size, const char *format, va_list ap);
int vfprintf(void *file, const char *format, va_list ap);

/* files.c */
struct klabel_node {
    const char *name; /* NULL: it has none, any more */
    unsigned char *data;
    size_t size, room;       /* no room: the bytes are another's */
    unsigned mode;           /* as in struct stat */
    int uses, given;         /* given: the test's */
    int unflushed;           /* streams that hold back what was written */
    unsigned char *status;   /* the test's struct stat, NULL for none */
};
struct klabel_open { /* what descriptors that are copies share */
    struct klabel_node *node;
    size_t at;
    int flags, uses;
};
enum { KLABEL_FOLDER = 0040000, KLABEL_DEVICE = 0020000, KLABEL_REGULAR = 0100000, KLABEL_KIND = 0170000 };
enum { KLABEL_READ, KLABEL_WRITE, KLABEL_CLOSE, KLABEL_FTRUNCATE, KLABEL_GETCWD, KLABEL_CALLS };
struct klabel_node *klabel_put_file(const char *name, const void *data, size_t size);
extern struct klabel_node klabel_input, klabel_output;
extern int klabel_failures, *klabel_failing_calls[KLABEL_CALLS]; /* --max-fail: which call of each fails */
int klabel_count(int call);
int klabel_fails(int call);
int klabel_error(int number); /* sets errno; -1 */
const char *klabel_path(const char *path);
struct klabel_node *klabel_find(const char *path);
struct klabel_node *klabel_make(const char *path, unsigned mode);
struct klabel_node *klabel_node_at(int i); /* NULL: no more; its name may be NULL */
int klabel_absent(void);
void klabel_resize(struct klabel_node *n, size_t size);
struct klabel_open *klabel_descriptor(int fd); /* NULL, and errno is set */
size_t klabel_get(struct klabel_open *o, void *to, size_t n);
size_t klabel_put(struct klabel_open *o, const void *from, size_t n);
long long klabel_seek(struct klabel_open *o, long long to, int from);
long klabel_as_long(long long offset); /* -1, and errno is set, for what is larger */
int klabel_let_go(int fd);
int open(const char *path, int flags, ...);

/* stdio.c */
struct klabel_stream {
    struct klabel_open *open; /* NULL: it was closed */
    int fd;                   /* -1: it is in memory */
    int pushed;               /* one more than the character, 0 for none */
    int at_end;               /* what feof says: a read has met the end */
    int failed;               /* what ferror says */
    int holds;                /* something written waits */
    struct klabel_open own;   /* of a stream in memory */
    struct klabel_node memory;
};
struct klabel_open *klabel_file_of(struct klabel_stream *f);
void klabel_flush(struct klabel_stream *f);
size_t klabel_read_stdin(unsigned char *to, size_t n, size_t *at);
int klabel_is_output(void *file);
size_t klabel_write_text(void *file, const char *text, size_t n);
extern unsigned char *klabel_stdin_data;
extern size_t klabel_stdin_size; /* where it ends; natively it may end later */
extern size_t klabel_stdin_most;
extern int klabel_stdin_fixed; /* no other length is tried */
extern void *stdin, *stdout;
ssize_t read(int fd, void *p, size_t n);
char *fgets(char *s, int size, void *file);
size_t fread(void *p, size_t size, size_t count, void *file);
int getchar(void);
int fgetc(void *file);
int ungetc(int c, void *file);

#endif
