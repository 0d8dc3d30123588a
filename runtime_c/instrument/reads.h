/* Asks the replay runtime, where it is linked, whether a predicate can read what a pointer points to. */
int klabel_can_read(const void *p, unsigned long n) __attribute__((weak));
#define klabel_reads(p, n) (!klabel_can_read || klabel_can_read(p, n))
/* What came out of an atom: 0, 1, or 2 where it could not be evaluated. No predicate holds that comes to such a one. */
#define klabel_known(atom) ((atom) < 2 ? (atom) : (klabel_lost = 1, 0))
