/* Works in an empty folder, which goes with the process: no test finds the files of another one, or of an earlier
   run. */
#if defined(__unix__) || defined(__APPLE__)
#include <dirent.h>
#include <sys/types.h>
#include <unistd.h>

extern char *mkdtemp(char *name);

static struct {
    char name[4096];
    char from[4096];
    pid_t owner;
} klabel_own;

static void klabel_empty(const char *folder)
{
    DIR *list = opendir(folder);
    struct dirent *one;

    while (list != NULL && (one = readdir(list)) != NULL) {
        char name[4096];

        if (strcmp(one->d_name, ".") != 0 && strcmp(one->d_name, "..") != 0 &&
            (size_t)snprintf(name, sizeof name, "%s/%s", folder, one->d_name) < sizeof name && unlink(name) != 0) {
            klabel_empty(name);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    rmdir(folder);
}

static void klabel_leave_folder(void)
{
    if (klabel_own.name[0] != '\0' && chdir(klabel_own.from) == 0 && klabel_own.owner == getpid()) {
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
    if (getcwd(klabel_own.from, sizeof klabel_own.from) == NULL || mkdtemp(klabel_own.name) == NULL) {
        klabel_own.name[0] = '\0'; /* the test works where it is */
        return;
    }
    klabel_own.owner = getpid();
    if (first) {
        atexit(klabel_leave_folder);
    }
    if (chdir(klabel_own.name) != 0) {
        klabel_leave_folder();
    }
}
#else
static void klabel_folder(void)
{
}
#endif
