// criteria: RTE
struct s { int f; int arr[4]; };
int g(int);
int f(int a, unsigned b, long c, char *p, struct s *s, int i) {
  int t[10];
  t[i] = 0; //@ RTE i < 0 || i >= 10
  t[3] = a / b; //@ RTE b == 0
  a = a % g(a); //@ RTE klb_1r == 0 ;; RTE klb_1l == (-2147483647 - 1) && klb_1r == -1
  c = c + a; //@ RTE (a > 0 && c > 9223372036854775807LL - a) || (a < 0 && c < (-9223372036854775807LL - 1) - a)
  a = a * i; //@ RTE (long long)a * i > 2147483647 || (long long)a * i < (-2147483647 - 1)
  a <<= i; //@ RTE (unsigned long long)i >= 32
  a = -a; //@ RTE a == (-2147483647 - 1)
  a++; //@ RTE a == 2147483647
  *p = s->f; //@ RTE p == 0 ;; RTE s == 0
  p[i] = s->arr[i]; //@ RTE p == 0 ;; RTE s == 0 ;; RTE i < 0 || i >= 4
  return &s->f == &t[i]; //@ RTE i < 0 || i > 10
}
