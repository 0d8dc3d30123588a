/* Declarations of the library; no system header is used. */
#ifndef KLABEL_LIBC_H
#define KLABEL_LIBC_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __builtin_va_list va_list;
#define NULL ((void *)0)
#define va_start(ap, last) __builtin_va_start(ap, last)
#define va_arg(ap, type) __builtin_va_arg(ap, type)
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
void klee_report_error(const char *file, int line, const char *message, const char *suffix) __attribute__((noreturn));

/* what C leaves open: any number, any number with the sign of the argument */
int klabel_any(void);
int klabel_sign(int difference);
/* natively, errno may have been set here; has it been, since the last question? */
void klabel_touches_errno(void);
/* what follows is not as it is natively: no claim rests on it */
void klabel_gap(const char *what);
int klabel_errno_touched(void);

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

/* format.c */
int vsnprintf(char *dst, size_t size, const char *format, va_list ap);

/* files.c */
struct klabel_file {
    const void *data;
    size_t size;
};
void klabel_put_file(const char *name, const void *data, size_t size);
/* NULL: there is none */
const struct klabel_file *klabel_open_file(const char *path, int writes);
const struct klabel_file *klabel_file_of(int fd, size_t *at);

/* stdio.c */
ssize_t klabel_read_stdin(unsigned char *to, size_t n);
extern unsigned char *klabel_stdin_data;
extern size_t klabel_stdin_size; /* where it ends; natively it may end later */
extern size_t klabel_stdin_most;
extern int klabel_stdin_fixed; /* no other length is tried */
extern void *stdin;
int getchar(void);
int fgetc(void *file);
int ungetc(int c, void *file);

#endif
