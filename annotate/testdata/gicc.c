// criteria: GICC
int f(int a, int b, int c, int *p) {
  if (a && b) return 1; //@ GICC 0 (infeasible) ;; GICC 0 (infeasible) ;; GICC a && !b ;; GICC !a && !b ;; GICC 0 (infeasible) ;; GICC 0 (infeasible) ;; GICC b && !a ;; GICC !b && !a
  if (a && (b || c)) return 2; //@ GICC 0 (infeasible) ;; GICC 0 (infeasible) ;; GICC a && !(b || c) && !(b || c) ;; GICC !a && !(b || c) ;; GICC b && !(!!a != (a && c)) && a ;; GICC !b && !(!!a != (a && c)) && a && c ;; GICC b && !(!!a != (a && c)) && !a ;; GICC !b && !(!!a != (a && c)) && !(a && c) ;; GICC c && !(!!a != (a && b)) && a ;; GICC !c && !(!!a != (a && b)) && a && b ;; GICC c && !(!!a != (a && b)) && !a ;; GICC !c && !(!!a != (a && b)) && !(a && b)
  if (p && *p > 3) return 3; //@ GICC 0 (infeasible) ;; GICC 0 (infeasible) ;; GICC p && !(*p > 3) ;; GICC 0 (infeasible) ;; GICC 0 (infeasible) ;; GICC 0 (infeasible) ;; GICC 0 (infeasible) ;; GICC 0 (infeasible)
  return a ? 1 : 0;
}
