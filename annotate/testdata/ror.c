// criteria: WM-ROR
int g(int);
int f(int a, unsigned b, int *p, int *q) {
  int x = a < b; //@ WM ROR (a < b) != (a <= b) ;; WM ROR (a < b) != (a > b) ;; WM ROR (a < b) != (a >= b) ;; WM ROR (a < b) != (a == b) ;; WM ROR (a < b) != (a != b)
  x += p == q; //@ WM ROR (p == q) != (p != q)
  x += p < q; //@ WM ROR (p < q) != (p == q) ;; WM ROR (p < q) != (p != q)
  x += g(a) != 3; //@ WM ROR (klb_1l != 3) != (klb_1l < 3) ;; WM ROR (klb_1l != 3) != (klb_1l <= 3) ;; WM ROR (klb_1l != 3) != (klb_1l > 3) ;; WM ROR (klb_1l != 3) != (klb_1l >= 3) ;; WM ROR (klb_1l != 3) != (klb_1l == 3)
  x += 0 == p; //@ WM ROR (0 == p) != (0 != p)
  return g(a < 3); //@ WM ROR (a < 3) != (a <= 3) ;; WM ROR (a < 3) != (a > 3) ;; WM ROR (a < 3) != (a >= 3) ;; WM ROR (a < 3) != (a == 3) ;; WM ROR (a < 3) != (a != 3)
}
