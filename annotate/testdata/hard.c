// criteria: FC,STMT,BBC,DC,CC,MCC,WM-ROR
#include <setjmp.h>
#define CHECK(x, y) do { if ((x) < (y)) return -1; } while (0)
#define WRAP(e) ((e) ? 1 : 0)
struct n { struct n *next; int v; };
static int table[3 > 2 ? 4 : 5] = { 1 && 2, 3 < 4 };
jmp_buf env;
int f(int a, struct n *n) { //@ FC,BBC 1
  static int once = 1 < 2;
  int arr[WRAP(3)] = { WRAP(a) }; //@ DC,CC,MCC a ;; DC,CC,MCC !a
  CHECK(a, //@ STMT 1 ;; BBC 1 ;; STMT 1 ;; DC,CC,MCC ((a) < (((n != 0) ? 1 : 0))) ;; DC,CC,MCC !((a) < (((n != 0) ? 1 : 0))) ;; WM ROR (a < ((n != 0) ? 1 : 0)) != (a <= ((n != 0) ? 1 : 0)) ;; WM ROR (a < ((n != 0) ? 1 : 0)) != (a > ((n != 0) ? 1 : 0)) ;; WM ROR (a < ((n != 0) ? 1 : 0)) != (a >= ((n != 0) ? 1 : 0)) ;; WM ROR (a < ((n != 0) ? 1 : 0)) != (a == ((n != 0) ? 1 : 0)) ;; WM ROR (a < ((n != 0) ? 1 : 0)) != (a != ((n != 0) ? 1 : 0)) ;; DC,CC,MCC (n != 0) ;; DC,CC,MCC !(n != 0) ;; WM ROR (n != 0) != (n == 0) ;; STMT,BBC 1
        WRAP(n != 0));
  if (setjmp(env) == 0) a++; //@ STMT,BBC 1 ;; STMT,BBC 1
  a += sizeof(a < 3) + _Generic(a < 1, int: a, default: 0); //@ STMT,BBC 1
  for (struct n *m = n; m && m->v > 0; m = m->next) //@ STMT 1 ;; DC (m && m->v > 0) ;; DC !(m && m->v > 0) ;; MCC m && (m->v > 0) ;; MCC !m ;; MCC m && !(m->v > 0) ;; CC m ;; CC !m ;; CC (m->v > 0) ;; CC !(m->v > 0) ;; WM ROR ((m->v) > 0) != ((m->v) < 0) ;; WM ROR ((m->v) > 0) != ((m->v) <= 0) ;; WM ROR ((m->v) > 0) != ((m->v) >= 0) ;; WM ROR ((m->v) > 0) != ((m->v) == 0) ;; WM ROR ((m->v) > 0) != ((m->v) != 0)
    if (m->v == a) goto *(&&L + 0); //@ STMT,BBC 1 ;; DC,CC,MCC (m->v == a) ;; DC,CC,MCC !(m->v == a) ;; WM ROR ((m->v) == a) != ((m->v) < a) ;; WM ROR ((m->v) == a) != ((m->v) <= a) ;; WM ROR ((m->v) == a) != ((m->v) > a) ;; WM ROR ((m->v) == a) != ((m->v) >= a) ;; WM ROR ((m->v) == a) != ((m->v) != a) ;; STMT,BBC 1
  L: a += (struct n){ 0, a > 1 }.v; //@ STMT,BBC 1
  return __builtin_constant_p(a > 2) + table[0] + once + arr[0]; //@ STMT 1
}
