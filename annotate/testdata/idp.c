// criteria: IDP
// functions: f
enum color { RED, GREEN = 5 };
struct s { int a; unsigned b; char name[4]; struct s *next; };
int f(int a, unsigned b, double d, enum color c, struct s v, struct s *p, int (*fp)(void), void *w, _Bool q) { return 0; } //@ IDP a < 0 ;; IDP a == 0 ;; IDP a > 0 ;; IDP b == 0 ;; IDP b > 0 ;; IDP d < 0 ;; IDP d == 0 ;; IDP d > 0 ;; IDP c == RED ;; IDP c == GREEN ;; IDP v.a < 0 ;; IDP v.a == 0 ;; IDP v.a > 0 ;; IDP v.b == 0 ;; IDP v.b > 0 ;; IDP v.next == 0 ;; IDP v.next != 0 ;; IDP v.next != 0 && (*v.next).a < 0 ;; IDP v.next != 0 && (*v.next).a == 0 ;; IDP v.next != 0 && (*v.next).a > 0 ;; IDP v.next != 0 && (*v.next).b == 0 ;; IDP v.next != 0 && (*v.next).b > 0 ;; IDP v.next != 0 && (*v.next).next == 0 ;; IDP v.next != 0 && (*v.next).next != 0 ;; IDP p == 0 ;; IDP p != 0 ;; IDP p != 0 && (*p).a < 0 ;; IDP p != 0 && (*p).a == 0 ;; IDP p != 0 && (*p).a > 0 ;; IDP p != 0 && (*p).b == 0 ;; IDP p != 0 && (*p).b > 0 ;; IDP p != 0 && (*p).next == 0 ;; IDP p != 0 && (*p).next != 0 ;; IDP fp == 0 ;; IDP fp != 0 ;; IDP w == 0 ;; IDP w != 0 ;; IDP q == 0 ;; IDP q > 0
int other(int a) { return a; }
