/* What CMocka takes for each test. */
static void klabel_alone(void **state)
{
    CMUnitTestFunction *test = (CMUnitTestFunction *)*state;

    if (klabel_child) { /* its test has failed, and CMocka goes on with the next one */
        exit(EXIT_FAILURE);
    }
    if (klabel_passed_alone()) {
        return;
    }
    (*test)(state);
    if (klabel_child) {
        exit(EXIT_SUCCESS);
    }
    if (klabel_failed_alone) {
        fail_msg("fails, but passes after other tests");
    }
}

static int klabel_end(void **state)
{
    (void)state;
    if (klabel_child) { /* the last test has failed */
        exit(EXIT_FAILURE);
    }
    return 0;
}
