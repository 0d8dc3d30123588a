/* Labels that stay in bitcode. Build a labelled project with
 *
 *     CFLAGS="-include .../klabel-bitcode.h"
 *
 * and each label becomes two calls, which 'klabel run program.bc' finds and gives
 * their meaning. A program that is linked without klabel runs as without labels.
 */
#ifndef KLABEL_BITCODE_H
#define KLABEL_BITCODE_H

#ifdef __cplusplus
extern "C" {
#endif

int klabel_enter(int id, const char *site);
void klabel_holds(int id, int holds);

/* klabel's own definitions take the place of these. */
__attribute__((weak, noinline)) int klabel_enter(int id, const char *site)
{
    (void)id, (void)site;
    return 0;
}
__attribute__((weak, noinline)) void klabel_holds(int id, int holds)
{
    (void)id, (void)holds;
}

#ifdef __cplusplus
}
#endif

#define klabel_text_(...) #__VA_ARGS__
#define klabel_text(...) klabel_text_(__VA_ARGS__)
/* What klabel reads of a label: number, place, predicate, tags. */
#define klabel_site(predicate, id, ...)                                      \
    "klabel\n" klabel_text(id) "\n" __FILE__ "\n" klabel_text(__LINE__) "\n" \
    #predicate "\n" #__VA_ARGS__
#define cov_label(predicate, ...)                                            \
    (klabel_enter(klabel_first(__VA_ARGS__, 0),                              \
                  klabel_site(predicate, __VA_ARGS__, ""))                   \
         ? klabel_holds(klabel_first(__VA_ARGS__, 0), !!(predicate))         \
         : (void)0)
#define klabel_first(id, ...) (id)
#define pc_label cov_label

#endif
