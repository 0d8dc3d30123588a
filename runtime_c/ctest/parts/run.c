/* Runs one test, in a process of its own where there is fork: no test sees what
   another one has left, and one that crashes ends no other. */
#if defined(__unix__) || defined(__APPLE__)
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#define KLABEL_HAVE_FORK 1
#endif

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
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
#ifdef KLABEL_LIMIT
        const unsigned long most[2] = {KLABEL_TEST_SECONDS, KLABEL_TEST_SECONDS + 1};

        klabel_limit(KLABEL_LIMIT, most);
#endif
        (klabel_tests[i].run)(); /* in brackets: the program may have a macro of that name */
        exit(klabel_failures != 0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        return 1;
    }
    if (WIFSIGNALED(status)) {
        printf("%s: signal %d\n", klabel_tests[i].name, WTERMSIG(status));
    } else if (WEXITSTATUS(status) > 1) { /* 1: a check has failed, and has said so */
        printf("%s: exit status %d\n", klabel_tests[i].name, WEXITSTATUS(status));
    }
    return status != 0;
#else
    klabel_failures = 0;
    (klabel_tests[i].run)();
    return klabel_failures != 0;
#endif
}
