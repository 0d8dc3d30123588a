/* Command line, standard input and files of a test that was made with KLEE's
 * POSIX runtime. Its arguments hold the options (--sym-args and the like) that
 * made inputs symbolic, its objects the inputs: n_args, arg00.., stdin, A_data
 * (older: A-data) and so on, files with a record of their status beside them.
 *
 * A program that was not given such options gets the test's arguments as they
 * are, and its objects, whatever their names, are left to it.
 */
#include "replay.h"

#include "../include/klee/klee.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 1024 };

struct line {
    char *argv[MAX_ARGUMENTS + 1];
    int argc;
    unsigned symbolic; /* arguments named argNN so far */
};

static struct line line;

static void add(char *argument)
{
    if (line.argc == MAX_ARGUMENTS)
        klabel_stop(END_DIVERGED, "more than %d arguments", MAX_ARGUMENTS);
    line.argv[line.argc++] = argument;
}

/* The k-th number after option i of the test's arguments. */
static unsigned number(int i, int k)
{
    char *text, *end;
    unsigned long n;

    if (i + k >= klabel_argument_count())
        klabel_stop(END_DIVERGED, "the test's arguments lack a number");
    text = klabel_argument(i + k);
    n = strtoul(text, &end, 10);
    if (*text == '\0' || *end != '\0' || n > 1u << 24)
        klabel_stop(END_DIVERGED, "the test's argument %s is no number", text);
    free(text);
    return (unsigned)n;
}

static void add_symbolic(unsigned length)
{
    char name[16];
    char *text = malloc((size_t)length + 1);

    if (text == NULL)
        klabel_stop(END_BROKEN, "no memory for the arguments");
    snprintf(name, sizeof name, "arg%02u", line.symbolic++ % 100);
    klabel_input(text, (size_t)length + 1, name);
    text[length] = '\0';
    add(text);
}

static void add_some(unsigned least, unsigned most, unsigned length)
{
    unsigned n = least;

    if (least < most)
        n = (unsigned)klee_range((int)least, (int)most + 1, "n_args");
    while (n-- > 0)
        add_symbolic(length);
}

/* One object under its two spellings. */
static struct klabel_object *take_either(const char *base, char separator,
                                         const char *rest)
{
    char name[32];

    snprintf(name, sizeof name, "%s%c%s", base, separator, rest);
    return klabel_take(name);
}

/* The file's contents, up to a size: those of the test or, where it has none,
 * made up. */
static void write_all(int fd, const struct klabel_object *o, size_t size,
                      size_t most, const char *name)
{
    const unsigned char *data;
    size_t done = 0;

    if (o != NULL) {
        data = o->data;
        size = o->size;
    } else {
        unsigned char *made = calloc(1, size + 1);

        if (made == NULL)
            klabel_stop(END_BROKEN, "no memory for a file of %zu bytes", size);
        klabel_make_up(made, size, name);
        data = made;
    }
    if (size > most)
        size = most;
    while (done < size) {
        ssize_t n = write(fd, data + done, size - done);

        if (n <= 0)
            klabel_stop(END_BROKEN, "cannot write a file of the test");
        done += (size_t)n;
    }
}

/* A file's status as tests hold it: struct stat of 64 bits, also for others. */
#if UINTPTR_MAX > 0xffffffffU
typedef struct stat file_status;
#else
typedef struct {
    unsigned long long st_dev, st_ino, st_nlink;
    unsigned st_mode, st_uid, st_gid, pad;
    unsigned long long st_rdev;
    long long st_size, st_blksize, rest[10];
} file_status;
#endif

/* A plain file's status, for tests without one. */
static void make_up_status(const char *name)
{
    file_status st;

    memset(&st, 0, sizeof st);
    st.st_ino = 1;
    st.st_nlink = 1;
    st.st_mode = S_IFREG | 0644;
    st.st_blksize = 4096;
    klabel_made_up(&st, sizeof st, name);
}

static void give_stdin(unsigned size, unsigned most)
{
    struct klabel_object *o = klabel_take("stdin");
    const char *name = "klabel-stdin";
    int fd = memfd_create(name, MFD_CLOEXEC);

    if (fd < 0) { /* refused to confined programs: nothing bounds such files */
        fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0)
            unlink(name);
    }
    if (fd < 0)
        klabel_stop(END_BROKEN, "cannot make the test's standard input");
    write_all(fd, o, size, most, "stdin");
    if (take_either("stdin", '_', "stat") == NULL &&
        take_either("stdin", '-', "stat") == NULL && o == NULL)
        make_up_status("stdin_stat");
    lseek(fd, 0, SEEK_SET);
    dup2(fd, 0);
    close(fd);
}

/* Permissions and kind count; owners and numbers cannot be had natively. */
static void give_file(char letter, unsigned size)
{
    char name[2] = {letter, '\0'};
    char data[] = "?_data", data_stat[] = "?_data_stat";
    struct klabel_object *o = take_either(name, '_', "data");
    struct klabel_object *status = take_either(name, '_', "data_stat");
    file_status st;
    int fd;

    if (o == NULL)
        o = take_either(name, '-', "data");
    if (status == NULL)
        status = take_either(name, '-', "data-stat");
    memset(&st, 0, sizeof st);
    if (status != NULL && status->size == sizeof st)
        memcpy(&st, status->data, sizeof st);
    if (S_ISDIR(st.st_mode)) {
        if (mkdir(name, st.st_mode & 0777) != 0)
            klabel_stop(END_BROKEN, "cannot make the test's folder %s", name);
        return;
    }
    fd = open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        klabel_stop(END_BROKEN, "cannot make the test's file %s", name);
    data[0] = data_stat[0] = letter;
    write_all(fd, o, size, (size_t)-1, data);
    if (o == NULL && status == NULL)
        make_up_status(data_stat);
    if ((st.st_mode & 0777) != 0)
        (void)fchmod(fd, st.st_mode & 0777);
    close(fd);
}

/* A test of KLEE's that klabel let have a shorter input says so. */
static void shorten(unsigned *most)
{
    struct klabel_object *o = klabel_take("stdin_size");
    int n;

    if (o == NULL || o->size != sizeof n)
        return;
    memcpy(&n, o->data, sizeof n);
    if (n >= 0 && (unsigned)n < *most)
        *most = (unsigned)n;
}

static int is(const char *argument, const char *option)
{
    return *argument == '-' &&
           (strcmp(argument + 1, option) == 0 ||
            (argument[1] == '-' && strcmp(argument + 2, option) == 0));
}

void klabel_posix(int *argc, char ***argv)
{
    static char nobody[] = "program";
    int n = klabel_argument_count();
    unsigned files = 0, file_size = 0, input_size = 0, input_most = 0;
    unsigned failures = 0, i;
    int k = 1;

    add(n > 0 ? klabel_argument(0) : nobody);
    while (k < n) {
        char *a = klabel_argument(k);

        if (is(a, "sym-arg")) {
            add_symbolic(number(k, 1));
            k += 2;
        } else if (is(a, "sym-args")) {
            add_some(number(k, 1), number(k, 2), number(k, 3));
            k += 4;
        } else if (is(a, "sym-files")) {
            files = number(k, 1);
            file_size = number(k, 2);
            k += 3;
        } else if (is(a, "sym-stdin")) {
            input_size = input_most = number(k, 1);
            shorten(&input_most);
            k += 2;
        } else if (is(a, "sym-stdin-upto")) { /* klabel's own engine has it */
            input_size = number(k, 1);
            input_most = (unsigned)klee_range(0, (int)input_size + 1,
                                              "stdin_size");
            k += 2;
        } else if (is(a, "max-fail")) {
            failures = number(k, 1);
            k += 2;
        } else if (is(a, "bout-file")) {
            k += 2;
        } else if (is(a, "fd-fail")) {
            failures = 1;
            k++;
        } else if (is(a, "sym-stdout") || is(a, "save-all-writes")) {
            k++;
        } else {
            add(a);
            k++;
            continue;
        }
        free(a);
    }
    for (i = 0; i < files && i < 26; i++)
        give_file((char)('A' + i), file_size);
    if (input_size > 0)
        give_stdin(input_size, input_most);
    klabel_failing_calls(failures);
    line.argv[line.argc] = NULL;
    *argc = line.argc;
    *argv = line.argv;
}
