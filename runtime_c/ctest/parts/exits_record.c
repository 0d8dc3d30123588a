/* Tells with which status the program under test has called exit: nothing else runs the function, a sanitizer
   neither. The C library knows more than atexit gives, under a name that the program may have for its own. */
extern int klabel_on_exit(void (*)(int, void *), void *) __asm__("on_exit");

static int klabel_calling;

static void klabel_at_exit(int status, void *none)
{
    (void)none;
    if (klabel_calling) {
        printf("\nklabel_exits %d\n", status & 255);
    }
}

/* Memory lies elsewhere in a run with this variable: the stack begins below its value. */
static void klabel_move(void)
{
    const char *far = getenv("KLABEL_ELSEWHERE");

    if (far != NULL && __builtin_malloc(strlen(far) / 5) == NULL) {
        _Exit(EXIT_FAILURE);
    }
}

static void klabel_call(void)
{
    klabel_calling = klabel_on_exit(klabel_at_exit, NULL) == 0;
}
