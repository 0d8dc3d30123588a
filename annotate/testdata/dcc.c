// criteria: DCC
int f(int a, int b) {
  if (a && b) return 1; //@ DCC (a && b) ;; DCC !(a && b) ;; DCC a ;; DCC !a ;; DCC b ;; DCC !b
  if (a) return 2; //@ DCC a ;; DCC !a
  return a || b; //@ DCC a ;; DCC !a ;; DCC b ;; DCC !b
}
