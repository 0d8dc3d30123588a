// criteria: WM-AOR
int g(int);
int f(int a, unsigned b, long c, double d, int *p) {
  a = a + 1; //@ WM AOR (a + 1) != ((int)((unsigned)a - (unsigned)1)) ;; WM AOR (a + 1) != ((int)((unsigned)a * (unsigned)1)) ;; WM AOR (a + 1) != ((int)a / (int)1) ;; WM AOR (a + 1) != ((int)a % (int)1)
  c = a * b; //@ WM AOR (a * b) != ((unsigned)((unsigned)a + (unsigned)b)) ;; WM AOR (a * b) != ((unsigned)((unsigned)a - (unsigned)b)) ;; WM AOR b != 0 && (a * b) != ((unsigned)a / (unsigned)b) ;; WM AOR b != 0 && (a * b) != ((unsigned)a % (unsigned)b)
  d = d / a; //@ WM AOR (d / a) != (d + a) ;; WM AOR (d / a) != (d - a) ;; WM AOR (d / a) != (d * a)
  a = b % 7; //@ WM AOR (b % 7) != ((unsigned)((unsigned)b + (unsigned)7)) ;; WM AOR (b % 7) != ((unsigned)((unsigned)b - (unsigned)7)) ;; WM AOR (b % 7) != ((unsigned)((unsigned)b * (unsigned)7)) ;; WM AOR (b % 7) != ((unsigned)b / (unsigned)7)
  a = a & 3; //@ WM AOR (a & 3) != ((int)a | (int)3) ;; WM AOR (a & 3) != ((int)a ^ (int)3)
  a <<= b; //@ WM AOR ((__typeof__(a))(a << b)) != ((__typeof__(a))((int)a >> b))
  a -= c; //@ WM AOR ((__typeof__(a))(a - c)) != ((__typeof__(a))((long)((unsigned long)a + (unsigned long)c))) ;; WM AOR ((__typeof__(a))(a - c)) != ((__typeof__(a))((long)((unsigned long)a * (unsigned long)c))) ;; WM AOR c != 0 && ((__typeof__(a))(a - c)) != ((__typeof__(a))((c == -1 ? (long)(0 - (unsigned long)a) : (long)a / (long)c))) ;; WM AOR c != 0 && ((__typeof__(a))(a - c)) != ((__typeof__(a))((c == -1 ? 0 : (long)a % (long)c)))
  p = p + a;
  return g(a) - g(b); //@ WM AOR (klb_1l - klb_1r) != ((int)((unsigned)klb_1l + (unsigned)klb_1r)) ;; WM AOR (klb_1l - klb_1r) != ((int)((unsigned)klb_1l * (unsigned)klb_1r)) ;; WM AOR klb_1r != 0 && (klb_1l - klb_1r) != ((klb_1r == -1 ? (int)(0 - (unsigned)klb_1l) : (int)klb_1l / (int)klb_1r)) ;; WM AOR klb_1r != 0 && (klb_1l - klb_1r) != ((klb_1r == -1 ? 0 : (int)klb_1l % (int)klb_1r))
}
