// criteria: IC
int f(int a, int b, int c, int *p) {
  if (a && b) return 1; //@ IC a && b ;; IC !a ;; IC !b
  if (a && b || c) return 2; //@ IC c ;; IC a && b ;; IC !a && !c ;; IC !b && !c
  if (p && *p > 3) return 3; //@ IC p && (*p > 3) ;; IC !p ;; IC p && !(*p > 3)
  return 0;
}
