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

char *strcpy(char *, const char *);
void *memcpy(void *, const void *, unsigned long), *malloc(unsigned long);
unsigned long strlen(const char *);

unsigned long calls(char *d, const char *u, int n) {
  char small[3], large[40];
  strcpy(small, u); //@ RTE u == 0 ;; RTE u != 0 && u[0] && u[1] && u[2]
  strcpy(large, u); //@ RTE u == 0
  strcpy(small, "no");
  memcpy(large, u, n); //@ RTE u == 0 ;; RTE (unsigned long long)n > 40
  memcpy(d, small, n); //@ RTE d == 0 ;; RTE (unsigned long long)n > 3
  return strlen(u + 1); //@ RTE (u + 1) == 0
}
