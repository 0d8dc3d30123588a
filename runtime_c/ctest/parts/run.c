/* Runs one test, in a process of its own where there is fork: no test sees what
   another one has left, and one that crashes ends no other. */
/* A test that computes for so long has failed. The program's alarm() would not do: it tells what another one has
   left, and the program may have its own. */
#ifndef KLABEL_TEST_SECONDS
#define KLABEL_TEST_SECONDS 60
#endif
#if defined(__linux__) && defined(__GNUC__)
extern int klabel_limit(int resource, const unsigned long *most) __asm__("setrlimit");
#define KLABEL_LIMIT 0 /* RLIMIT_CPU */
#endif

static int klabel_run_alone(int i)
{
#ifdef KLABEL_HAVE_FORK
    int status = 0;
    int child;

    fflush(stdout);
    child = klabel_fork();
    if (child == 0) {
#ifdef KLABEL_LIMIT
        const unsigned long most[2] = {KLABEL_TEST_SECONDS, KLABEL_TEST_SECONDS + 1};

        klabel_limit(KLABEL_LIMIT, most);
#endif
        (klabel_tests[i].run)(); /* in brackets: the program may have a macro of that name */
        exit(klabel_failures != 0);
    }
    if (child < 0 || klabel_wait(child, &status, 0) < 0) {
        return 1;
    }
    if (KLABEL_SIGNAL(status) != 0) {
        printf("%s: signal %d\n", klabel_tests[i].name, KLABEL_SIGNAL(status));
    } else if (KLABEL_EXIT(status) > 1) { /* 1: a check has failed, and has said so */
        printf("%s: exit status %d\n", klabel_tests[i].name, KLABEL_EXIT(status));
    }
    return status != 0;
#else
    klabel_failures = 0;
    (klabel_tests[i].run)();
    return klabel_failures != 0;
#endif
}
