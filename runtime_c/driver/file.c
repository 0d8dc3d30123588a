/* What an engine calls to have a file; a replay has real ones. */
void klabel_put_file(const char *, const void *, unsigned long) __attribute__((weak));

/* A file that holds the bytes before the last one, which says how many there are. */
__attribute__((nodebug)) static char *klabel_file(char *name, unsigned char *bytes, unsigned long room)
{
    unsigned long n = bytes[room] & room;
    void *file;

    if (klabel_put_file != 0 && !klee_is_replay()) {
        klabel_put_file(name, bytes, n);
    } else if (klee_is_replay()) {
        file = (void *)fopen(name, "wb");
        if (file != 0) {
            (void)fwrite(bytes, 1, n, file);
            (void)fclose(file);
        }
    }
    return name;
}
