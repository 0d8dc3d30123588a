/* Labels are nothing here, unless who compiles says otherwise. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wvariadic-macros"
#endif
#if !defined(cov_label) && !defined(KLABEL_DECLARED_cov_label)
#define cov_label(...) ((void)0)
#endif
#if !defined(pc_label) && !defined(KLABEL_DECLARED_pc_label)
#define pc_label(...) ((void)0)
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
