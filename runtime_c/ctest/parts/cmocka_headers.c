/* What CMocka wants before its own header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__STRICT_ANSI__) && !defined(__STDC_VERSION__) && !defined(inline)
#define inline __inline /* which C89 lacks, and CMocka's header has */
#endif
#include <cmocka.h>
