// criteria: DC
int g(int);
volatile int v;
struct bits { unsigned f : 3; };
#define BIG(x) ((x) > 100 ? 1 : 0)
int f(int a, int b, struct bits *s, unsigned char c) {
  int x = 0;
  if (a && !b) x = 1; //@ DC (a && !b) ;; DC !(a && !b)
  if (!(a > 3)) x = 2; //@ DC (a > 3) ;; DC !(a > 3)
  if (g(a)) x = 3; //@ DC klb_1 ;; DC !klb_1
  if (g(a) || b) x = 4; //@ DC klb_2 ;; DC !klb_2
  while (v) x++; //@ DC klb_3 ;; DC !klb_3
  do x--; while (x > 0); //@ DC (x > 0) ;; DC !(x > 0)
  for (x = 0; x < a; x++) ; //@ DC (x < a) ;; DC !(x < a)
  for (;;) break;
  while (1) break;
  if (0) x = 5; //@ DC 0 (infeasible) ;; DC !0 (always)
  x = b ? a : -a; //@ DC b ;; DC !b
  x = g(b) ?: a; //@ DC klb_6 ;; DC !klb_6
  x = BIG(a); //@ DC ((a) > 100) ;; DC !((a) > 100)
  x = a && b;
  switch (s->f) { case 1: x++; case 2 ... 5: break; } //@ DC klb_7 == (__typeof__(klb_7))(1) ;; DC klb_7 >= (__typeof__(klb_7))(2) && klb_7 <= (__typeof__(klb_7))(5) ;; DC klb_7 != (__typeof__(klb_7))(1) && !(klb_7 >= (__typeof__(klb_7))(2) && klb_7 <= (__typeof__(klb_7))(5))
  switch (c) { case 'a': x++; break; default: x--; } //@ DC klb_8 == (__typeof__(klb_8))('a') ;; DC klb_8 != (__typeof__(klb_8))('a')
  if (__builtin_expect(!!(a == b), 0)) x = 6; //@ DC (a == b) ;; DC !(a == b)
  if (__builtin_popcount(a)) x = 8; //@ DC klb_4 ;; DC !klb_4
  if (({ int t = a; t; })) x = 7; //@ DC klb_5 ;; DC !klb_5
  return x;
}
