/* A program may print by other functions; what prints here are the library's. */
#undef printf
#undef vprintf
#undef snprintf
#undef vsprintf
/* What tests need, whatever the source has included; not math.h, for many a program has a macro called round or
   log. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names that older standards of C lack. */
#ifndef LLONG_MAX
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX (LLONG_MAX * 2ULL + 1)
#endif
#ifndef NAN
#define NAN __builtin_nan("")
#endif
#ifndef INFINITY
#define INFINITY __builtin_inf()
#endif
