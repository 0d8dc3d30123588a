// criteria: CB
int g(int);
int f(int a, unsigned b, char c, int *p) {
  if (a < b) return 1; //@ CB a == b ;; CB a != b ;; CB a == (-2147483647 - 1) ;; CB a == 2147483647 ;; CB b == 0 ;; CB b == 4294967295U
  if (g(c) == a) return 2; //@ CB klb_1l == klb_1r ;; CB klb_1l != klb_1r ;; CB c == (-127 - 1) ;; CB c == 127 ;; CB a == (-2147483647 - 1) ;; CB a == 2147483647
  while (c && *p != a) c--; //@ CB c == (-127 - 1) ;; CB c == 127 ;; CB (*p) == a ;; CB (*p) != a ;; CB a == (-2147483647 - 1) ;; CB a == 2147483647
  return 0;
}
