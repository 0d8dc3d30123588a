/* What tests without a framework check with. */
static int klabel_failures;

#undef CHECK
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            klabel_failures++; \
        } \
    } while (0)
