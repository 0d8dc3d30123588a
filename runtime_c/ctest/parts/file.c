/* Makes a file, which goes with the process, and returns its name: each test has its own. */
#define klabel_file(bytes, size) klabel_put_file(__func__, bytes, size)

static char klabel_file_name[256];

static void klabel_remove_file(void)
{
    remove(klabel_file_name);
}

static char *klabel_put_file(const char *test, const void *bytes, size_t size)
{
    FILE *f;

    snprintf(klabel_file_name, sizeof klabel_file_name, "%s.input", test);
    f = fopen(klabel_file_name, "wb");
    if (f != NULL) {
        fwrite(bytes, 1, size, f);
        fclose(f);
        atexit(klabel_remove_file);
    }
    return klabel_file_name;
}
