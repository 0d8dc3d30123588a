// criteria: WM-ABS
int g(int);
int f(int a, unsigned b, double d, signed char c, _Bool q) {
  a = a + 3; //@ WM ABS a < 0
  b = b + 3;
  d = d * a; //@ WM ABS d < 0 ;; WM ABS a < 0
  a -= c; //@ WM ABS a < 0 ;; WM ABS c < 0
  return g(a) < q; //@ WM ABS klb_1 < 0
}
