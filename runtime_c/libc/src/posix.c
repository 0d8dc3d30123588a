/* Symbolic arguments, files and standard input, as KLEE's POSIX runtime has them:
   the same options, the same objects in the same order; calls that fail. Of klabel's own is
   --sym-stdin-upto N: an input of any length up to N. */
#include "libc.h"

int main(int argc, char **argv, char **envp);

static void usage(const char *message)
{
    klee_report_error("posix.c", 1, message, "user.err");
}

static int option(const char *arg, const char *name)
{
    if (arg[0] != '-') return 0;
    arg++;
    if (arg[0] == '-') arg++;
    return strcmp(arg, name) == 0;
}

static int next_number(int argc, char **argv, int *at)
{
    char *end;
    long v;
    if (++*at >= argc) usage("a --sym option lacks a number");
    v = strtol(argv[*at], &end, 10);
    if (*end || v < 0 || v > 1 << 20) usage("a --sym option wants a number");
    return (int)v;
}

static char *symbolic_argument(int size, int number)
{
    char name[6] = {'a', 'r', 'g', (char)('0' + number / 10), (char)('0' + number % 10), 0};
    char *s = malloc((size_t)size + 1);
    klee_make_symbolic(s, (size_t)size + 1, name);
    s[size] = 0;
    return s;
}

#define STATUS_SIZE 144 /* struct stat */

static unsigned char *symbolic_file(const char *name, const char *status, int size, unsigned char **data,
                                    size_t *length)
{
    unsigned char *s = malloc(STATUS_SIZE);
    *data = malloc((size_t)size);
    *length = (size_t)size;
    klee_make_symbolic(*data, (size_t)size, name);
    klee_make_symbolic(s, STATUS_SIZE, status);
    return s;
}

/* KLEE's objects say which call of each kind fails. */
static void failing_calls(int most)
{
    static const char *const names[KLABEL_CALLS] = {"read_fail", "write_fail", "close_fail", "ftruncate_fail",
                                                    "getcwd_fail"};
    klabel_failures = most;
    for (int i = 0; i < KLABEL_CALLS && most > 0; i++) {
        klabel_failing_calls[i] = malloc(sizeof(int));
        klee_make_symbolic(klabel_failing_calls[i], sizeof(int), names[i]);
    }
}

int klabel_posix_main(int argc, char **argv, char **envp);
int klabel_posix_main(int argc, char **argv, char **envp)
{
    char **args = malloc(sizeof *args * 102);
    int n = 0, numbered = 0, files = 0, file_size = 0, input = 0, upto = 0, output = 0;
    int failures = 0;
    for (int i = 0; i < argc; i++) {
        if (n > 100) usage("too many arguments");
        if (option(argv[i], "sym-arg")) {
            args[n++] = symbolic_argument(next_number(argc, argv, &i), numbered++);
        } else if (option(argv[i], "sym-args")) {
            int least = next_number(argc, argv, &i), most = next_number(argc, argv, &i);
            int size = next_number(argc, argv, &i), count;
            if (least > most || most == 0 || n + most > 100) usage("bad range of --sym-args");
            count = klee_range(least, most + 1, "n_args");
            for (int k = 0; k < count; k++) args[n++] = symbolic_argument(size, numbered++);
        } else if (option(argv[i], "sym-files")) {
            if (files) usage("--sym-files is given twice");
            files = next_number(argc, argv, &i);
            file_size = next_number(argc, argv, &i);
        } else if (option(argv[i], "sym-stdin")) {
            input = next_number(argc, argv, &i);
            klabel_stdin_fixed = 1;
        } else if (option(argv[i], "sym-stdin-upto")) {
            input = next_number(argc, argv, &i);
            upto = klee_range(0, input + 1, "stdin_size");
            klabel_stdin_fixed = 0;
        } else if (option(argv[i], "sym-stdout")) {
            output = 1;
        } else if (option(argv[i], "fd-fail")) {
            failures = 1;
        } else if (option(argv[i], "max-fail")) {
            failures = next_number(argc, argv, &i);
        } else if (option(argv[i], "save-all-writes")) {
            /* all writes are */
        } else {
            args[n++] = argv[i];
        }
    }
    args[n] = NULL;
    for (int k = 0; k < files && k < 26; k++) {
        char name[] = "?_data", status[] = "?_data_stat", *path = malloc(2);
        unsigned char *data, *s;
        struct klabel_node *n;
        size_t size;
        name[0] = status[0] = path[0] = (char)('A' + k);
        path[1] = 0;
        s = symbolic_file(name, status, file_size, &data, &size);
        n = klabel_put_file(path, data, size);
        n->given = 1;
        n->status = s;
    }
    if (input)
        klabel_input.status =
            symbolic_file("stdin", "stdin_stat", input, &klabel_stdin_data, &klabel_stdin_most);
    klabel_stdin_size = klabel_stdin_fixed ? klabel_stdin_most : (size_t)upto;
    failing_calls(failures);
    if (output) {
        unsigned char *data;
        size_t size;
        symbolic_file("stdout", "stdout_stat", 1024, &data, &size);
    }
    return main(n, args, envp);
}
