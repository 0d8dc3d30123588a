/* getopt and getopt_long, as glibc has them: what is no option goes to the end. */
#include "libc.h"

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static char *rest;         /* of a cluster of short options */
static int first, last;    /* arguments passed over */
static int started, ordered;

static void exchange(char **argv)
{
    int moved = optind - last;
    for (int k = 0; k < moved; k++) {
        char *option = argv[last + k];
        for (int i = last + k; i > first + k; i--) argv[i] = argv[i - 1];
        argv[first + k] = option;
    }
    first += moved;
    last = optind;
}

static int length_to(const char *s, char c)
{
    int n = 0;
    while (s[n] && s[n] != c) n++;
    return n;
}

static int long_option(int argc, char **argv, const char *text, const char *shorts, const struct option *longs,
                       int *index)
{
    int n = length_to(text, '='), found = -1, many = 0;
    for (int i = 0; longs[i].name; i++) {
        if (strncmp(longs[i].name, text, (size_t)n) != 0) continue;
        if (longs[i].name[n] == 0) {
            found = i;
            many = 0;
            break;
        }
        if (found < 0) found = i;
        else if (longs[i].has_arg != longs[found].has_arg || longs[i].flag != longs[found].flag ||
                 longs[i].val != longs[found].val)
            many = 1;
    }
    optind++;
    if (found < 0 || many) {
        optopt = 0;
        return '?';
    }
    if (text[n] == '=') {
        if (!longs[found].has_arg) {
            optopt = longs[found].val;
            return '?';
        }
        optarg = (char *)text + n + 1;
    } else if (longs[found].has_arg == 1) {
        if (optind >= argc) {
            optopt = longs[found].val;
            return shorts[0] == ':' ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (index) *index = found;
    if (longs[found].flag) {
        *longs[found].flag = longs[found].val;
        return 0;
    }
    return longs[found].val;
}

static int short_option(int argc, char **argv, const char *shorts)
{
    char c = *rest++;
    const char *at = c == ':' || c == ';' ? NULL : strchr(shorts, c);
    if (!*rest) optind++;
    if (!at) {
        optopt = c;
        return '?';
    }
    if (at[1] != ':') return c;
    if (*rest) {
        optarg = rest;
        optind++;
    } else if (at[2] == ':') {
        optarg = NULL;
    } else if (optind >= argc) {
        optopt = c;
        rest = NULL;
        return shorts[0] == ':' ? ':' : '?';
    } else {
        optarg = argv[optind++];
    }
    rest = NULL;
    return c;
}

static int next(int argc, char **argv, const char *shorts, const struct option *longs, int *index, int alone)
{
    if (argc < 1) return -1;
    optarg = NULL;
    if (optind == 0 || !started) {
        if (optind == 0) optind = 1;
        first = last = optind;
        rest = NULL;
        started = 1;
        ordered = shorts[0] == '+';
        klabel_gap("POSIXLY_CORRECT may be set");
        if (shorts[0] == '-') klabel_gap("arguments in order, as getopt takes them");
    }
    if (shorts[0] == '+' || shorts[0] == '-') shorts++;
    if (!rest || !*rest) {
        if (last > optind) last = optind;
        if (first > optind) first = optind;
        if (!ordered) {
            if (first != last && last != optind) exchange(argv);
            else if (last != optind) first = optind;
            while (optind < argc && (argv[optind][0] != '-' || !argv[optind][1])) optind++;
            last = optind;
        }
        if (optind != argc && strcmp(argv[optind], "--") == 0) {
            optind++;
            if (first != last && last != optind) exchange(argv);
            else if (first == last) first = optind;
            last = argc;
            optind = argc;
        }
        if (optind == argc) {
            if (first != last) optind = first;
            return -1;
        }
        if (argv[optind][0] != '-' || !argv[optind][1]) return -1;
        if (longs && argv[optind][1] == '-') return long_option(argc, argv, argv[optind] + 2, shorts, longs, index);
        if (longs && alone) klabel_gap("getopt_long_only takes short options first");
        rest = argv[optind] + 1;
    }
    return short_option(argc, argv, shorts);
}

int getopt(int argc, char *const argv[], const char *shorts)
{
    return next(argc, (char **)argv, shorts, NULL, NULL, 0);
}
int getopt_long(int argc, char *const argv[], const char *shorts, const struct option *longs, int *index)
{
    return next(argc, (char **)argv, shorts, longs, index, 0);
}
int getopt_long_only(int argc, char *const argv[], const char *shorts, const struct option *longs, int *index)
{
    return next(argc, (char **)argv, shorts, longs, index, 1);
}
