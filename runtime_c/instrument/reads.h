/* Asks the replay runtime, where it is linked, whether a predicate can read what a pointer points to. */
int klabel_can_read(const void *p, unsigned long n) __attribute__((weak));
#define klabel_reads(p, n) (!klabel_can_read || klabel_can_read(p, n))
