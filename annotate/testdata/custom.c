// criteria: custom,CC
#define cov_label(...) do {} while (0)
int f(int a, int b) {
  cov_label(a > b, 2, "MINE"); //@ MINE a > b
  if (a) return 1; //@ CC a ;; CC !a
  cov_label(b > 3, 9); //@  b > 3
  return 0;
}
