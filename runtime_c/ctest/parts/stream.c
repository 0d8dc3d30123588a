/* A stream on some bytes. */
static FILE *klabel_stream(const void *bytes, size_t size)
{
    FILE *f = tmpfile();

    if (f != NULL) {
        fwrite(bytes, 1, size, f);
        rewind(f);
    }
    return f;
}
