/* Each test runs in a process of its own where there is fork: no test sees what another one has left. One that
   fails there runs here once more, for the framework to say what is wrong. */
static int klabel_child;        /* this process is such a one */
static int klabel_failed_alone; /* the present test has failed in one */

/* Whether the present test is done with: it has passed in a process of its own. */
static int klabel_passed_alone(void)
{
#ifdef KLABEL_HAVE_FORK
    int status = 0;
    int child;

    fflush(NULL);
    child = klabel_fork();
    if (child == 0) {
        klabel_child = 1;
        if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) {
            exit(EXIT_FAILURE);
        }
        return 0;
    }
    klabel_failed_alone = child > 0 && (klabel_wait(child, &status, 0) < 0 || status != 0);
    return child > 0 && !klabel_failed_alone;
#else
    return 0;
#endif
}
