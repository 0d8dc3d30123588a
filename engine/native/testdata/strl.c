/* strlcpy and strlcat for C libraries without them. */
#include <string.h>
__attribute__((weak)) size_t strlcpy(char *dst, const char *src, size_t size)
{
    size_t n = strlen(src);
    if (size) {
        strncpy(dst, src, size);
        dst[size - 1] = 0;
    }
    return n;
}
__attribute__((weak)) size_t strlcat(char *dst, const char *src, size_t size)
{
    size_t n = strnlen(dst, size), m = strlen(src);
    if (n < size) strncat(dst, src, size - n - 1);
    return n + m;
}
