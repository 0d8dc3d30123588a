/* Allocations of the source, one of which fails where a test says so. */
void *malloc(__SIZE_TYPE__ n);
void *calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ size);
void *realloc(void *p, __SIZE_TYPE__ n);
char *strdup(const char *s);
char *strndup(const char *s, __SIZE_TYPE__ n);

static unsigned klabel_failing;

/* Of the allocations to come this one fails, 0 for none. */
static void fail_allocation(unsigned number)
{
    klabel_failing = number;
}

static int klabel_fails(void)
{
    return klabel_failing != 0 && --klabel_failing == 0;
}

void *klabel_malloc(__SIZE_TYPE__ n);
void *klabel_malloc(__SIZE_TYPE__ n)
{
    return klabel_fails() ? 0 : malloc(n);
}

void *klabel_calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ size);
void *klabel_calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ size)
{
    return klabel_fails() ? 0 : calloc(n, size);
}

void *klabel_realloc(void *p, __SIZE_TYPE__ n);
void *klabel_realloc(void *p, __SIZE_TYPE__ n)
{
    return klabel_fails() ? 0 : realloc(p, n);
}

char *klabel_strdup(const char *s);
char *klabel_strdup(const char *s)
{
    return klabel_fails() ? 0 : strdup(s);
}

char *klabel_strndup(const char *s, __SIZE_TYPE__ n);
char *klabel_strndup(const char *s, __SIZE_TYPE__ n)
{
    return klabel_fails() ? 0 : strndup(s, n);
}
