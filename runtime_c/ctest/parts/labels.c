/* Labels are nothing here, unless who compiles says otherwise. */
#ifndef cov_label
#define cov_label(...) ((void)0)
#endif
#ifndef pc_label
#define pc_label(...) ((void)0)
#endif
