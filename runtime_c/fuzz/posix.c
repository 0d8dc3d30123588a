/* The program's main: its arguments, standard input and files, as KLEE's POSIX
 * runtime makes them from options among the arguments, with the same objects. But
 * what is read from input and files is as long as the test's object, up to what the
 * option says.
 */
#include "fuzz.h"

#include "../include/klee/klee.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_OPTIONS = 128, MAX_ARGUMENTS = 1024, KEPT_FD = 10, LETTERS = 26 };

int klabel_fuzz_main(int argc, char **argv, char **envp) __attribute__((weak));
void *klabel_fuzz_malloc(size_t n);

static struct option_given {
    const char *text; /* NULL: symbolic, */
    unsigned least, most, length; /* so many of that length */
} options[MAX_OPTIONS];
static int option_count = -1;
static unsigned files, file_size, input_size;
static int input_any; /* the input may be shorter than that, too */
static int input_fd = -1;

static int is(const char *argument, const char *name)
{
    return *argument == '-' &&
           (strcmp(argument + 1, name) == 0 ||
            (argument[1] == '-' && strcmp(argument + 2, name) == 0));
}

static unsigned number(const char *text)
{
    unsigned long n = text != NULL ? strtoul(text, NULL, 10) : 0;

    return n < MAX_TEST / 2 ? (unsigned)n : MAX_TEST / 2;
}

static void add_option(const char *text, unsigned least, unsigned most,
                       unsigned length)
{
    if (option_count == MAX_OPTIONS)
        return;
    options[option_count].text = text;
    options[option_count].least = least;
    options[option_count].most = most;
    options[option_count++].length = length;
}

static void read_options(void)
{
    static const char *none[3];
    const char *const *a = klabel_fuzz_arguments;

    option_count = 0;
    while (*a != NULL) {
        const char *name = *a++;
        const char *const *n = a[0] != NULL && a[1] != NULL && a[2] != NULL ? a : none;

        if (is(name, "sym-arg")) {
            add_option(NULL, 1, 1, number(a[0]));
            a += a[0] != NULL;
        } else if (is(name, "sym-args")) {
            add_option(NULL, number(n[0]), number(n[1]), number(n[2]));
            a += n == a ? 3 : 0;
        } else if (is(name, "sym-files") && a[0] != NULL && a[1] != NULL) {
            files = number(a[0]) < LETTERS ? number(a[0]) : LETTERS;
            file_size = number(a[1]);
            a += 2;
        } else if (is(name, "sym-stdin") || is(name, "sym-stdin-upto")) {
            input_size = number(a[0]);
            input_any = is(name, "sym-stdin-upto");
            a += a[0] != NULL;
        } else if (is(name, "max-fail") || is(name, "bout-file")) {
            a += a[0] != NULL;
        } else if (!is(name, "sym-stdout") && !is(name, "save-all-writes") &&
                   !is(name, "fd-fail")) {
            add_option(name, 0, 0, 0);
        }
    }
}

static const char *argument_name(unsigned i)
{
    static char name[] = "arg??";

    name[3] = (char)('0' + i / 10 % 10);
    name[4] = (char)('0' + i % 10);
    return name;
}

size_t klabel_fuzz_room(const char *name, uint32_t length, int *fixed)
{
    unsigned i, longest = 0;

    *fixed = 0;
    if (length == 5 && memcmp(name, "stdin", 5) == 0) {
        *fixed = !input_any;
        return input_size;
    }
    if (length == 6 && memcmp(name + 1, "_data", 5) == 0)
        return file_size;
    if (length != 5 || memcmp(name, "arg", 3) != 0)
        return 0;
    for (i = 0; (int)i < option_count; i++)
        if (options[i].text == NULL && options[i].length > longest)
            longest = options[i].length;
    *fixed = 1;
    return longest + 1;
}

int klabel_fuzz_has_files(void)
{
    return files > 0;
}

static unsigned char *block(size_t n)
{
    unsigned char *p = klabel_fuzz_malloc(n);

    if (p == NULL)
        klabel_fuzz_end(END_DISCARDED);
    return p;
}

static int give_arguments(char **argv)
{
    int argc = 1, i;
    unsigned given = 0;

    for (i = 0; i < option_count; i++) {
        const struct option_given *o = &options[i];
        unsigned n = o->least;

        if (o->text != NULL) {
            size_t size = strlen(o->text) + 1;

            if (argc < MAX_ARGUMENTS)
                argv[argc++] = memcpy(block(size), o->text, size);
            continue;
        }
        if (o->least < o->most)
            n = (unsigned)klee_range((int)o->least, (int)o->most + 1, "n_args");
        for (; n > 0 && argc < MAX_ARGUMENTS; n--) {
            char *text = (char *)block(o->length + 1);

            klee_make_symbolic(text, o->length + 1, argument_name(given++));
            text[o->length] = '\0';
            argv[argc++] = text;
        }
    }
    argv[argc] = NULL;
    return argc;
}

static void write_whole(int fd, const unsigned char *data, size_t size)
{
    if (pwrite(fd, data, size, 0) != (ssize_t)size ||
        ftruncate(fd, (off_t)size) != 0)
        klabel_fuzz_end(END_DISCARDED);
}

static void give_files(void)
{
    unsigned i;

    for (i = 0; i < files; i++) {
        char name[] = {(char)('A' + i), '\0'}, data[] = "?_data";
        const unsigned char *p;
        size_t size;
        int fd;

        data[0] = name[0];
        p = klabel_fuzz_text_input(data, NULL, file_size, &size);
        fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        if (fd < 0)
            klabel_fuzz_end(END_DISCARDED);
        write_whole(fd, p, size);
        close(fd);
    }
}

static int make_input(void)
{
    const char *name = "klabel-stdin";
    int fd = memfd_create(name, MFD_CLOEXEC), kept;

    if (fd < 0) { /* refused to confined programs */
        fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0)
            unlink(name);
    }
    kept = fcntl(fd, F_DUPFD_CLOEXEC, KEPT_FD); /* below those that runs lose */
    close(fd);
    return kept;
}

static void give_input(void)
{
    static char buffer[BUFSIZ];
    const unsigned char *p;
    size_t size;

    if (input_fd < 0 && (input_fd = make_input()) < 0)
        klabel_fuzz_end(END_DISCARDED);
    if (input_any) {
        p = klabel_fuzz_text_input("stdin", "stdin_size", input_size, &size);
    } else {
        unsigned char *fixed = block(size = input_size);

        klee_make_symbolic(fixed, size, "stdin");
        p = fixed;
    }
    write_whole(input_fd, p, size);
    lseek(input_fd, 0, SEEK_SET);
    dup2(input_fd, 0);
    if (fileno(stdin) != 0) /* an earlier run has closed it */
        stdin = fdopen(0, "r");
    if (stdin == NULL)
        _exit(1);
    __fpurge(stdin);
    clearerr(stdin);
    setvbuf(stdin, buffer, _IOFBF, sizeof buffer);
}

void klabel_fuzz_run_main(void)
{
    static char *argv[MAX_ARGUMENTS + 1], *nothing[] = {NULL};
    static char program[8], nobody[] = "-";
    char *nobodies[] = {nobody, NULL};
    int argc;

    if (option_count < 0)
        read_options();
    optind = 0;
    getopt(1, nobodies, ""); /* forgets an earlier run */
    argv[0] = memcpy(program, "program", sizeof program);
    argc = give_arguments(argv);
    give_files();
    if (input_size > 0)
        give_input();
    klabel_fuzz_main(argc, argv, nothing);
}
