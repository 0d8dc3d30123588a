/* Gives the tests to Check. */
int main(void)
{
    Suite *suite = suite_create("klabel");
    TCase *tcase = tcase_create("tests");
    SRunner *runner;
    int failed;

    klabel_add_tests(tcase);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
