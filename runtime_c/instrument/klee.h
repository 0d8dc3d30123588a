/* What the modes for KLEE call. */
int klee_int(const char *name);
void klee_silent_exit(int status) __attribute__((noreturn));
void __assert_fail(const char *text, const char *file, unsigned int line, const char *function)
    __attribute__((noreturn));
