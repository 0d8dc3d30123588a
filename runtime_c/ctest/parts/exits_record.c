/* Tells that the program under test has called exit: nothing else runs the function, a sanitizer neither. */
static int klabel_calling;

static void klabel_at_exit(void)
{
    if (klabel_calling) {
        printf("\nklabel_exits\n");
    }
}

static void klabel_call(void)
{
    klabel_calling = atexit(klabel_at_exit) == 0;
}
