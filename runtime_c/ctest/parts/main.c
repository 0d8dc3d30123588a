/* Runs all tests, or those named; one alone runs in this process, for a debugger.
   The exit code is 0 when all pass. */
int main(int argc, char **argv)
{
    int failed = 0;
    int ran = 0;
    int i;

    for (i = 0; klabel_tests[i].name != NULL; i++) {
        int wanted = argc == 1;
        int k;

        for (k = 1; k < argc; k++) {
            wanted |= strcmp(argv[k], klabel_tests[i].name) == 0;
        }
        if (!wanted) {
            continue;
        }
        ran++;
        if (argc == 2) {
            (klabel_tests[i].run)();
            failed += klabel_failures != 0;
        } else if (klabel_run_alone(i)) {
            printf("%s: failed\n", klabel_tests[i].name);
            failed++;
        }
    }
    printf("%d tests, %d failed\n", ran, failed);
    return failed == 0 && ran > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
