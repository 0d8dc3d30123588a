/* Works in an empty folder, which goes with the process: no test finds the files of another one, or of an earlier
   run. */
#ifdef KLABEL_HAVE_FORK
#include <dirent.h>

extern char *klabel_make(char *name) KLABEL_NAMED("mkdtemp");
extern int klabel_go(const char *folder) KLABEL_NAMED("chdir");
extern char *klabel_where(char *folder, size_t size) KLABEL_NAMED("getcwd");
extern int klabel_unlink(const char *file) KLABEL_NAMED("unlink");
extern int klabel_remove(const char *folder) KLABEL_NAMED("rmdir");
extern int klabel_self(void) KLABEL_NAMED("getpid");

static struct {
    char home[4096]; /* of the process; folders of tests are in it */
    char name[4096]; /* of the present test */
    char from[4096];
    int owner;  /* of home: the process */
    int tester; /* of name */
} klabel_own;

static void klabel_empty(const char *folder)
{
    DIR *list = opendir(folder);
    struct dirent *one;

    while (list != NULL && (one = readdir(list)) != NULL) {
        char name[4096];

        if (strcmp(one->d_name, ".") != 0 && strcmp(one->d_name, "..") != 0 &&
            (size_t)snprintf(name, sizeof name, "%s/%s", folder, one->d_name) < sizeof name &&
            klabel_unlink(name) != 0) {
            klabel_empty(name);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    klabel_remove(folder);
}

static void klabel_leave_folder(void)
{
    if (klabel_own.name[0] != '\0' && klabel_go(klabel_own.from) == 0 && klabel_own.tester == klabel_self()) {
        klabel_empty(klabel_own.name);
        klabel_own.name[0] = '\0';
    }
}

static void klabel_leave_home(void)
{
    klabel_leave_folder();
    if (klabel_own.owner == klabel_self()) {
        klabel_empty(klabel_own.home);
    }
}

/* Makes the folder that the process is kept to. */
static int klabel_settle(void)
{
    const char *place = getenv("TMPDIR");

    place = place != NULL && place[0] == '/' ? place : "/tmp";
    snprintf(klabel_own.home, sizeof klabel_own.home, "%s/klabel-XXXXXX", place);
    if (klabel_where(klabel_own.from, sizeof klabel_own.from) == NULL || klabel_make(klabel_own.home) == NULL) {
        return 0;
    }
    klabel_own.owner = klabel_self();
    atexit(klabel_leave_home);
    return klabel_confined(klabel_own.home, place, klabel_own.from, klabel_own.owner);
}

static void klabel_folder(void)
{
    if (klabel_own.owner == 0 && !klabel_settle() && getenv("KLABEL_UNCONFINED") == NULL) {
        printf("not run, for it deals with files and cannot be kept to a folder; KLABEL_UNCONFINED=1 runs it\n");
        exit(EXIT_SUCCESS);
    }
    klabel_leave_folder();
    snprintf(klabel_own.name, sizeof klabel_own.name, "%.4000s/XXXXXX", klabel_own.home);
    if (klabel_own.owner == 0 || klabel_make(klabel_own.name) == NULL) {
        klabel_own.name[0] = '\0'; /* the test works where it is */
        return;
    }
    klabel_own.tester = klabel_self();
    if (klabel_go(klabel_own.name) != 0) {
        klabel_leave_folder();
    }
}
#ifndef KLABEL_OWN_tmpfile
/* The library's knows /tmp alone. */
extern FILE *klabel_temporary(void) KLABEL_NAMED("tmpfile");

FILE *klabel_temporary(void)
{
    static const char name[] = ".klabel-temporary";
    FILE *f = fopen(name, "w+b");

    if (f != NULL) {
        klabel_unlink(name);
    }
    return f;
}
#endif
#else
static void klabel_folder(void)
{
}
#endif
