/* Tells that the program under test has called exit: nothing else runs the function, a sanitizer neither. */
static int klabel_calling;

static void klabel_at_exit(void)
{
    if (klabel_calling) {
        printf("\nklabel_exits\n");
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
    klabel_calling = atexit(klabel_at_exit) == 0;
}
