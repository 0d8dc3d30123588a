// criteria: CC
int g(int);
volatile int v;
enum e { A, B };
#define NDEBUG 1
int f(int a, double d, int *p, enum e e, _Bool q) {
  int x = 0;
  if (p && *p > a) x = 1; //@ CC p ;; CC !p ;; CC (*p > a) ;; CC !(*p > a)
  if (!(a || !q) && d < 0.5) x = 2; //@ CC a ;; CC !a ;; CC q ;; CC !q ;; CC (d < 0.5) ;; CC !(d < 0.5)
  if (g(a) && v) x = 3; //@ CC klb_1 ;; CC !klb_1 ;; CC klb_2 ;; CC !klb_2
  x = e == A || (a && d); //@ CC (e == A) ;; CC !(e == A) ;; CC a ;; CC !a ;; CC d ;; CC !d
  while (a-- > 0 && x) x--; //@ CC klb_3 ;; CC !klb_3 ;; CC x ;; CC !x
  if (NDEBUG && a) x = 4; //@ CC 1 ;; CC !1 (infeasible) ;; CC a ;; CC !a
  if (sizeof(int) == 4) x = 5; //@ CC (sizeof(int) == 4) (always) ;; CC !(sizeof(int) == 4) (infeasible)
  for (; p; p = 0) ; //@ CC p ;; CC !p
  return a == 1 ? x : (a != 2 && x); //@ CC (a == 1) ;; CC !(a == 1) ;; CC (a != 2) ;; CC !(a != 2) ;; CC x ;; CC !x
}
