/* Signals that the program sends to itself, threads one after another, and what
   always fails. */
#include "libc.h"

void exit(int status) __attribute__((noreturn));

typedef void (*handler)(int);
#define DEFAULT ((handler)0)
#define IGNORE ((handler)1)
#define FAILED ((handler)-1)
static handler handlers[65];

handler signal(int number, handler h)
{
    handler old;
    klabel_gap("signals from outside");
    if (number < 1 || number > 64 || number == 9 || number == 19) {
        klabel_touches_errno();
        return FAILED;
    }
    old = handlers[number];
    handlers[number] = h;
    return old;
}
struct klabel_action {
    handler h;
};
int sigaction(int number, const struct klabel_action *new, struct klabel_action *old)
{
    klabel_gap("signals from outside, and how handlers are called");
    if (number < 1 || number > 64 || number == 9 || number == 19) {
        klabel_touches_errno();
        return -1;
    }
    if (old) old->h = handlers[number];
    if (new) handlers[number] = new->h;
    return 0;
}
int sigemptyset(void *set)
{
    (void)set;
    return 0;
}
int sigaddset(void *set, int number)
{
    (void)set;
    (void)number;
    return 0;
}
int raise(int number)
{
    handler h;
    if (number < 1 || number > 64) {
        klabel_touches_errno();
        return -1;
    }
    h = handlers[number];
    if (h == IGNORE) return 0;
    if (h == DEFAULT && (number == 17 || number == 18 || number == 23 || number == 28)) return 0;
    if (h == DEFAULT) abort();
    h(number);
    return 0;
}
unsigned alarm(unsigned seconds)
{
    klabel_gap("an alarm never comes");
    return seconds * 0;
}

/* The world outside: there is none. */
static void outside(void)
{
    klabel_touches_errno();
    klabel_gap("there is no world outside the program");
}
#define FAILS(name, parameters) \
    int name parameters \
    { \
        outside(); \
        return -1; \
    }
#define NOTHING(name, parameters) \
    void *name parameters \
    { \
        outside(); \
        return NULL; \
    }
FAILS(chdir, (const char *path))
FAILS(socket, (int domain, int type, int protocol))
FAILS(system, (const char *command))
FAILS(pclose, (void *file))
FAILS(connect, (int fd, const void *address, unsigned size))
FAILS(bind, (int fd, const void *address, unsigned size))
FAILS(listen, (int fd, int most))
FAILS(accept, (int fd, void *address, unsigned *size))
FAILS(shutdown, (int fd, int how))
FAILS(setsockopt, (int fd, int level, int name, const void *value, unsigned size))
NOTHING(freopen, (const char *path, const char *mode, void *file))
NOTHING(freopen64, (const char *path, const char *mode, void *file))
NOTHING(popen, (const char *command, const char *mode))

static void leave(int status)
{
    klabel_touches_errno();
    exit(status);
}
#define LEAVES(name) \
    void name(int status, const char *format, ...) \
    { \
        (void)format; \
        leave(status); \
    }
#define WARNS(name) \
    void name(const char *format, ...) \
    { \
        (void)format; \
        klabel_touches_errno(); \
    }
LEAVES(err) LEAVES(errx) WARNS(warn) WARNS(warnx)
void error(int status, int number, const char *format, ...)
{
    (void)number;
    (void)format;
    if (status) leave(status);
}
