/* Gives the tests to Unity. */
void setUp(void)
{
    if (klabel_passed_alone()) {
        TEST_ABORT();
    }
}

void tearDown(void)
{
    if (klabel_child) {
        exit(Unity.CurrentTestFailed ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    if (klabel_failed_alone && !Unity.CurrentTestFailed) {
        TEST_FAIL_MESSAGE("fails, but passes after other tests");
    }
}

int main(void)
{
    UNITY_BEGIN();
    klabel_run_tests();
    return UNITY_END();
}
