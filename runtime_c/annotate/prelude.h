/* Makes labelled text compile by itself: labels do nothing until a tool defines what they do. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Weverything"
#endif
#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif
