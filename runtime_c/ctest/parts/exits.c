/* A test in which the program calls exit: a process of its own ends, and the test looks at its status. Without fork
   there is no way to do that, and the program is not called. */
#include <signal.h>

#ifdef KLABEL_HAVE_FORK
static int klabel_exit_status; /* of that process; -1: it did not call exit */
#endif

/* Whether this is the process that is to end. */
static int klabel_in_child(void)
{
#ifdef KLABEL_HAVE_FORK
    static const int crashes[] = {SIGABRT, SIGFPE, SIGILL, SIGSEGV,
#ifdef SIGBUS
                                  SIGBUS,
#endif
                                  SIGTERM};
    int status = 0;
    int child;

    fflush(NULL);
    child = klabel_fork();
    if (child == 0) {
        size_t i;

        for (i = 0; i < sizeof crashes / sizeof crashes[0]; i++) { /* a framework may go on after them */
            signal(crashes[i], SIG_DFL);
        }
        return 1;
    }
    klabel_exit_status = -1;
    if (child > 0 && klabel_wait(child, &status, 0) == child && KLABEL_SIGNAL(status) == 0) {
        klabel_exit_status = KLABEL_EXIT(status);
    }
#endif
    return 0;
}

/* What the process that was to end does when it has not: no status of exit tells this. */
static void klabel_returned(void)
{
    signal(SIGABRT, SIG_DFL);
    abort();
}

/* Whether the program has called exit with this status. */
static int klabel_exited(int status)
{
#ifdef KLABEL_HAVE_FORK
    return klabel_exit_status == status;
#else
    (void)status;
    return 1;
#endif
}
