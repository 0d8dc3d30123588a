// criteria: GACC
int g(int);
int f(int a, int b, int c, int *p) {
  if (a && b) return 1; //@ GACC a && b ;; GACC !a && b ;; GACC b && a ;; GACC !b && a
  if (a && (b || c)) return 2; //@ GACC a && (b || c) ;; GACC !a && (b || c) ;; GACC b && (!!a != (a && c)) ;; GACC !b && (!!a != (a && c)) ;; GACC c && (!!a != (a && b)) ;; GACC !c && (!!a != (a && b))
  if (p && *p > 3) return 3; //@ GACC p && (*p > 3) ;; GACC !p ;; GACC p && !(*p > 3)
  if (g(a) || b) return 4; //@ GACC klb_1_1 ;; GACC !klb_1_1 && !klb_1_2 ;; GACC !klb_1_1 && klb_1_2
  return a ? 1 : 0; //@ GACC a ;; GACC !a
}
