// criteria: UTPC
int f(int a, int b, int c, int *p) {
  if (a && b) return 1; //@ UTPC a && b ;; UTPC !a && b ;; UTPC !b && a
  if (a && b || c) return 2; //@ UTPC c && !(a && b) ;; UTPC a && b && !c ;; UTPC !a && !c && b ;; UTPC !b && !c && a
  if (p && *p > 3) return 3; //@ UTPC p && (*p > 3) ;; UTPC !p ;; UTPC p && !(*p > 3)
  return 0;
}
