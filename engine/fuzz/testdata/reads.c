/* A program that reads its arguments, a file and its standard input, which nothing of
 * an earlier run is left in. Labels are written as in image.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void klabel_fuzz_label(int id, unsigned distance);
#define LABEL(id, holds) klabel_fuzz_label(id, (holds) ? 0 : 64)

static int commands(FILE *f)
{
    char line[40], name[20];
    int n, sum = 0;

    while (fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "put %19s %d", name, &n) == 2 && n > 0 && n < 1000)
            sum += n;
        else if (strcmp(line, "end\n") == 0)
            LABEL(1, sum > 20);
    return sum;
}

int main(int argc, char **argv)
{
    int verbose = 0, c;
    FILE *f;

    LABEL(100, argc < 1 || argc > 3 || strcmp(argv[0], "program") != 0 || argv[argc] != NULL);
    LABEL(101, feof(stdin) || ferror(stdin) || ftell(stdin) != 0 || optind != 1);
    while ((c = getopt(argc, argv, "vx")) > 0)
        verbose += c == 'v';
    if (optind == argc) {
        LABEL(2, verbose == 1 && argc == 2);
        c = commands(stdin);
        LABEL(3, c == 77);
        fclose(stdin); /* the next run has one */
        return 0;
    }
    f = fopen(argv[optind], "r+");
    LABEL(4, f == NULL);
    if (f == NULL)
        return 1;
    c = commands(f);
    LABEL(5, c > 0 && verbose);
    fputs("left", f);
    fclose(f);
    return 0;
}
