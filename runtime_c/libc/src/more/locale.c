/* Locales: there is "C" alone, and nothing is claimed where callers or the environment may have chosen
 * another one, or where there may be no memory for a copy.
 */
#include "libc.h"

static void only_c(void) { klabel_gap("there is the locale C alone"); }
static int is_c(const char *name) { return strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0; }

char *setlocale(int category, const char *name)
{
    (void)category;
    if (!name || !is_c(name)) only_c();
    return (char *)"C";
}

/* As glibc lays it out: ten texts, fourteen characters. */
struct lconv {
    const char *decimal_point, *rest[9];
    char numbers[14];
};
struct lconv *localeconv(void)
{
    static struct lconv c;
    unsigned i;
    only_c();
    c.decimal_point = ".";
    for (i = 0; i < 9; i++) c.rest[i] = "";
    for (i = 0; i < 14; i++) c.numbers[i] = 127;
    return &c;
}

/* A locale of a thread's own: copies of "C" are the same one, and the global one is -1. */
static char c_locale[8];
static void *own = (void *)-1l;
void *newlocale(int categories, const char *name, void *base)
{
    (void)categories;
    (void)base;
    only_c();
    if (name[0] != '\0' && !is_c(name)) {
        klabel_error(2);
        return NULL;
    }
    return c_locale;
}
void *duplocale(void *locale)
{
    (void)locale;
    only_c();
    return c_locale;
}
void freelocale(void *locale) { (void)locale; }
void *uselocale(void *locale)
{
    void *was = own;
    only_c();
    if (locale) own = locale;
    return was;
}
