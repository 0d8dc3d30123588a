/* What the source may declare in a way of its own, or not at all, has another name in C here. */
#if defined(__GNUC__)
#define KLABEL_TEXT(x) #x
#define KLABEL_SYMBOL(prefix, name) __asm__(KLABEL_TEXT(prefix) name)
#define KLABEL_NAMED(name) KLABEL_SYMBOL(__USER_LABEL_PREFIX__, name)
#if defined(__unix__) || defined(__APPLE__)
#define KLABEL_HAVE_FORK 1
extern int klabel_fork(void) KLABEL_NAMED("fork");
extern int klabel_wait(int child, int *status, int options) KLABEL_NAMED("waitpid");
#define KLABEL_SIGNAL(status) ((status) & 0x7f) /* that has ended it, or 0 */
#define KLABEL_EXIT(status) ((status) >> 8 & 0xff)
#endif
#endif
