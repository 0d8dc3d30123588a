/* Writes a file that the program reads; it goes with the process. */
static const char *klabel_given_files[26];
static int klabel_given_file_count;

static void klabel_remove_given_files(void)
{
    while (klabel_given_file_count > 0) {
        remove(klabel_given_files[--klabel_given_file_count]);
    }
}

static void klabel_give_file(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");

    if (f == NULL || klabel_given_file_count == 26) {
        printf("cannot write the file %s, which the test needs\n", name);
        exit(EXIT_FAILURE);
    }
    fwrite(bytes, 1, size, f);
    fclose(f);
    if (klabel_given_file_count == 0) {
        atexit(klabel_remove_given_files);
    }
    klabel_given_files[klabel_given_file_count++] = name;
}
