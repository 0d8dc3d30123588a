/* A stream on the bytes before the last one, which says how many there are. */
__attribute__((nodebug)) static void *klabel_stream(unsigned char *bytes, unsigned long room)
{
    unsigned long n = bytes[room] & room;
    void *stream;

    if (!klee_is_replay())
        return (void *)fmemopen(bytes, n, "r+");
    stream = (void *)tmpfile();
    if (stream != 0) {
        (void)fwrite(bytes, 1, n, stream);
        rewind(stream);
    }
    return stream;
}
