/* AddressSanitizer, where somebody builds with it: what a test has allocated, or the function under test for its
   caller, stays; and malloc may fail. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define KLABEL_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(KLABEL_SANITIZED)
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:allocator_may_return_null=1";
}
#endif
