// criteria: 2-CC
int f(int a, int b, int c, int *p) {
  if (a && b && c) return 1; //@ 2-CC a && b ;; 2-CC a && !b ;; 2-CC !a && b ;; 2-CC !a && !b ;; 2-CC a && c ;; 2-CC a && !c ;; 2-CC !a && c ;; 2-CC !a && !c ;; 2-CC b && c ;; 2-CC b && !c ;; 2-CC !b && c ;; 2-CC !b && !c
  if (p && *p && a) return 2; //@ 2-CC p && (*p) ;; 2-CC p && !(*p) ;; 2-CC 0 (infeasible) ;; 2-CC 0 (infeasible) ;; 2-CC p && a ;; 2-CC p && !a ;; 2-CC !p && a ;; 2-CC !p && !a ;; 2-CC p && (*p) && a ;; 2-CC p && (*p) && !a ;; 2-CC p && !(*p) && a ;; 2-CC p && !(*p) && !a
  if (a) return 3; //@ 2-CC a ;; 2-CC !a
  return 0;
}
