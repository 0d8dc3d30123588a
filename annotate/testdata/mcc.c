// criteria: MCC
int g(int);
int f(int a, int b, int *p) {
  if (a && b) return 1; //@ MCC a && b ;; MCC !a && b ;; MCC a && !b ;; MCC !a && !b
  if (a || !b || a > 3) return 2; //@ MCC a && b && (a > 3) ;; MCC !a && b && (a > 3) ;; MCC a && !b && (a > 3) ;; MCC !a && !b && (a > 3) ;; MCC a && b && !(a > 3) ;; MCC !a && b && !(a > 3) ;; MCC a && !b && !(a > 3) ;; MCC !a && !b && !(a > 3)
  if (p && *p) return 3; //@ MCC p && (*p) ;; MCC !p ;; MCC p && !(*p)
  if (g(a) && b) return 4; //@ MCC klb_1_1 && klb_1_2 ;; MCC !klb_1_1 ;; MCC klb_1_1 && !klb_1_2
  if (a && b || a && p) return 5; //@ MCC a && b && p ;; MCC !a && b && p ;; MCC a && !b && p ;; MCC !a && !b && p ;; MCC a && b && !p ;; MCC !a && b && !p ;; MCC a && !b && !p ;; MCC !a && !b && !p
  if (a) return 6; //@ MCC a ;; MCC !a
  return 0;
}
