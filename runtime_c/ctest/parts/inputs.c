/* Functions of the program's environment. One of the same name in another file of the program wins: these are weak. */
#if defined(__GNUC__)
#define KLABEL_FUNCTION(type, name, parameters) \
    type klabel_##name parameters KLABEL_NAMED(#name) __attribute__((weak, used)); \
    type klabel_##name parameters
#else
#define KLABEL_FUNCTION(type, name, parameters) type name parameters
#endif

/* The inputs of a test, in the order in which the program asks for them. */
static struct {
    const char *name;
    const void *value;
    size_t size;
} klabel_given[4096];
static int klabel_given_count;
static int klabel_given_next;

/* The next input of this name; zeros when there is none left. */
static void klabel_take(void *to, size_t size, const char *name)
{
    int i;

    memset(to, 0, size);
    for (i = klabel_given_next; i < klabel_given_count; i++) {
        if (strcmp(klabel_given[i].name, name) == 0) {
            memcpy(to, klabel_given[i].value, klabel_given[i].size < size ? klabel_given[i].size : size);
            klabel_given_next = i + 1;
            return;
        }
    }
}

KLABEL_FUNCTION(void, klee_make_symbolic, (void *object, size_t size, const char *name))
{
    klabel_take(object, size, name);
}

KLABEL_FUNCTION(int, klee_int, (const char *name))
{
    int x;

    klabel_take(&x, sizeof x, name);
    return x;
}

KLABEL_FUNCTION(int, klee_range, (int begin, int end, const char *name))
{
    int x;

    klabel_take(&x, sizeof x, name);
    return x < begin || x >= end ? begin : x;
}

KLABEL_FUNCTION(uintptr_t, klee_choose, (uintptr_t n))
{
    uintptr_t x;

    klabel_take(&x, sizeof x, "klee_choose");
    return x < n ? x : 0;
}

static void klabel_assumed(int condition)
{
    if (!condition) {
        printf("an assumption of the program does not hold\n");
        exit(EXIT_FAILURE);
    }
}

KLABEL_FUNCTION(void, klee_assume, (uintptr_t condition))
{
    klabel_assumed(condition != 0);
}

KLABEL_FUNCTION(void, klee_silent_exit, (int status))
{
    exit(status);
}

KLABEL_FUNCTION(void, klee_abort, (void))
{
    abort();
}

KLABEL_FUNCTION(void, klee_report_error, (const char *file, int line, const char *message, const char *suffix))
{
    printf("%s:%d: %s (%s)\n", file, line, message, suffix);
    exit(EXIT_FAILURE);
}

KLABEL_FUNCTION(unsigned, klee_is_symbolic, (uintptr_t n))
{
    (void)n;
    return 0;
}

KLABEL_FUNCTION(unsigned, klee_is_replay, (void))
{
    return 1;
}

KLABEL_FUNCTION(void, klee_prefer_cex, (void *object, uintptr_t condition))
{
    (void)object;
    (void)condition;
}

KLABEL_FUNCTION(void, klee_warning, (const char *message))
{
    printf("%s\n", message);
}

KLABEL_FUNCTION(void, klee_warning_once, (const char *message))
{
    (void)message;
}
