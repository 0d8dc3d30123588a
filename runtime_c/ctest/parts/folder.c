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
    char name[4096];
    char from[4096];
    int owner;
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
    if (klabel_own.name[0] != '\0' && klabel_go(klabel_own.from) == 0 && klabel_own.owner == klabel_self()) {
        klabel_empty(klabel_own.name);
        klabel_own.name[0] = '\0';
    }
}

static void klabel_folder(void)
{
    const char *home = getenv("TMPDIR");
    int first = klabel_own.owner == 0;

    klabel_leave_folder();
    snprintf(klabel_own.name, sizeof klabel_own.name, "%s/klabel-XXXXXX",
             home != NULL && home[0] == '/' ? home : "/tmp");
    if (klabel_where(klabel_own.from, sizeof klabel_own.from) == NULL || klabel_make(klabel_own.name) == NULL) {
        klabel_own.name[0] = '\0'; /* the test works where it is */
        return;
    }
    klabel_own.owner = klabel_self();
    if (first) {
        atexit(klabel_leave_folder);
    }
    if (klabel_go(klabel_own.name) != 0) {
        klabel_leave_folder();
    }
}
#else
static void klabel_folder(void)
{
}
#endif
