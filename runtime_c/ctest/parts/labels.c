/* Labels are nothing here, unless who compiles says otherwise. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wvariadic-macros"
#endif
MACROS
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
