/* NULL where there is nothing: memcpy(to, NULL, 0), qsort(NULL, 0, ...). C23 and
 * before leave that undefined, the next C defines it (WG14 N3322), every C library
 * does nothing there, as engines do, and much C relies on it. UBSan knows the
 * attribute of the parameter and not the length. So such a call goes on: where there
 * is something to read or write, the access itself ends the run.
 */
#include "replay.h"

#include <stdint.h>
#include <string.h>

/* What UBSan hands over: its own layout, the same since clang 3.6. */
struct place {
    const char *file;
    uint32_t line, column;
};

struct null_argument {
    struct place call, attribute;
    int argument; /* from 1 */
};

/* Not there where the program has no UBSan. */
__attribute__((weak, noreturn)) void __ubsan_handle_nonnull_arg_abort(struct null_argument *);

static int of_header(const struct null_argument *a, const char *header)
{
    size_t n, m = strlen(header);

    if (a->attribute.file == NULL)
        return 0;
    n = strlen(a->attribute.file);
    return n > m && strcmp(a->attribute.file + n - m, header) == 0;
}

void __wrap___ubsan_handle_nonnull_arg(struct null_argument *);
void __wrap___ubsan_handle_nonnull_arg(struct null_argument *a)
{
    if (of_header(a, "/include/string.h") || (of_header(a, "/include/stdlib.h") && a->argument == 1))
        return;
    __ubsan_handle_nonnull_arg_abort(a);
}
