// criteria: LIMIT-0,LIMIT-2
int g(void);
int f(int a, unsigned b, long c, double d, char *p, char *q) {
  if (a < 10) return 1; //@ LIMIT-0 a < 10 && (unsigned)10 - (unsigned)a - 1 <= 0 ;; LIMIT-2 a < 10 && (unsigned)10 - (unsigned)a - 1 <= 2
  if (a >= c) return 2; //@ LIMIT-0 a >= c && (unsigned long)a - (unsigned long)c <= 0 ;; LIMIT-2 a >= c && (unsigned long)a - (unsigned long)c <= 2
  if (a > b) return 3; //@ LIMIT-0 a > b && (unsigned)a - (unsigned)b - 1 <= 0 ;; LIMIT-2 a > b && (unsigned)a - (unsigned)b - 1 <= 2
  if (d < 1 || p < q || a == 3) return 4;
  return g() <= a; //@ LIMIT-0 klb_1l <= klb_1r && (unsigned)klb_1r - (unsigned)klb_1l <= 0 ;; LIMIT-2 klb_1l <= klb_1r && (unsigned)klb_1r - (unsigned)klb_1l <= 2
}
