/* The environment. Each variable that the program asks for by name is an input, an object
   getenv_NAME: it is not set where the first two bytes are 0, empty where the first one is, and
   a text otherwise. The replay has it in its own environment. */
#include "libc.h"

enum { KLABEL_VALUE = 16, KLABEL_NAME = 48 };

struct variable {
    struct variable *next;
    const char *name;
    char *value; /* NULL: it is not set */
};

static struct variable *variables;
static int no_more_given;
static char *no_variables[1];
char **environ = no_variables, **__environ = no_variables, **_environ = no_variables;

static int fixed_text(const char *name)
{
    for (;; name++) {
        if (klee_is_symbolic((unsigned char)*name)) return 0;
        if (!*name) return 1;
    }
}

/* What the program was started with. */
static char *first_value(const char *name, size_t n)
{
    char object[KLABEL_NAME + 8] = "getenv_", *s;
    if (no_more_given || n == 0) return NULL;
    if (n > KLABEL_NAME) {
        klabel_gap("a variable of the environment with a long name is not set");
        return NULL;
    }
    memcpy(object + 7, name, n);
    object[7 + n] = 0;
    s = malloc(KLABEL_VALUE + 1);
    klee_make_symbolic(s, KLABEL_VALUE + 1, object);
    s[KLABEL_VALUE] = 0;
    if (!(s[0] | s[1])) return NULL;
    klabel_gap("longer values of environment variables were not tried");
    return s;
}

static struct variable *variable_of(const char *name, size_t n)
{
    struct variable *v;
    for (v = variables; v; v = v->next)
        if (strncmp(v->name, name, n) == 0 && v->name[n] == 0) return v;
    return NULL;
}

static char *text_of(const char *s, size_t n)
{
    char *c = malloc(n + 1);
    memcpy(c, s, n);
    c[n] = 0;
    return c;
}

/* asked: what it was at the start is of interest. */
static struct variable *kept_variable(const char *name, size_t n, int asked)
{
    struct variable *v = variable_of(name, n);
    if (v) return v;
    v = malloc(sizeof *v);
    v->name = text_of(name, n);
    v->value = asked ? first_value(name, n) : NULL;
    v->next = variables;
    variables = v;
    return v;
}

char *getenv(const char *name)
{
    if (!fixed_text(name)) {
        klabel_gap("a variable of the environment whose name is an input is not set");
        return NULL;
    }
    return kept_variable(name, strlen(name), 1)->value;
}
char *secure_getenv(const char *name) { return getenv(name); }

/* A variable that setenv, or its like, may change; NULL: there is none. */
static struct variable *changed(const char *name, int asked)
{
    if (name && !fixed_text(name)) klabel_gap("a variable of the environment whose name is an input is changed");
    if (!name || !*name || strchr(name, '=')) {
        *__errno_location() = 22;
        return NULL;
    }
    return kept_variable(name, strlen(name), asked);
}

int setenv(const char *name, const char *value, int replace)
{
    struct variable *v = changed(name, !replace);
    if (!v) return -1;
    if (!v->value || replace) v->value = text_of(value, strlen(value));
    return 0;
}
int unsetenv(const char *name)
{
    struct variable *v = changed(name, 0);
    if (!v) return -1;
    v->value = NULL;
    return 0;
}
int putenv(char *text)
{
    const char *end = strchr(text, '=');
    struct variable *v;
    if (!end) return unsetenv(text);
    if (!fixed_text(text)) klabel_gap("a variable of the environment whose name is an input is changed");
    v = kept_variable(text, (size_t)(end - text), 0);
    v->value = text + (end - text) + 1;
    return 0;
}
int clearenv(void)
{
    for (struct variable *v = variables; v; v = v->next) v->value = NULL;
    no_more_given = 1;
    return 0;
}
