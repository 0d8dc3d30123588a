// criteria: RTE
struct s { int f; int arr[4]; };
int g(int);
int f(int a, unsigned b, long c, char *p, struct s *s, int i) {
  int t[10];
  t[i] = 0; //@ RTE index i < 0 || i >= 10
  t[3] = a / b; //@ RTE zero b == 0
  a = a % g(a); //@ RTE zero klb_1r == 0 ;; RTE overflow klb_1l == (-2147483647 - 1) && klb_1r == -1
  c=c + a; //@ RTE overflow (a > 0 && c > 9223372036854775807LL - a) || (a < 0 && c < (-9223372036854775807LL - 1) - a)
  a = a * i; //@ RTE overflow (long long)a * i > 2147483647 || (long long)a * i < (-2147483647 - 1)
  a <<= i; //@ RTE shift (unsigned long long)i >= 32
  a = -a; //@ RTE overflow a == (-2147483647 - 1)
  a++; //@ RTE overflow a == 2147483647
  *p = s->f; //@ RTE null p == 0 ;; RTE null s == 0
  p[i] = s->arr[i]; //@ RTE null p == 0 ;; RTE null s == 0 ;; RTE index i < 0 || i >= 4
  return &s->f == &t[i]; //@ RTE index i < 0 || i > 10
}

char *strcpy(char *, const char *);
void *memcpy(void *, const void *, unsigned long), *malloc(unsigned long);
unsigned long strlen(const char *);

unsigned long calls(char *d, const char *u, int n) {
  char small[3], large[40];
  strcpy(small, u); //@ RTE null u == 0 ;; RTE length u != 0 && u[0] && u[1] && u[2]
  strcpy(large, u); //@ RTE null u == 0
  strcpy(small, "no");
  memcpy(large, u, n); //@ RTE null u == 0 ;; RTE length (unsigned long long)n > 40
  memcpy(d, small, n); //@ RTE null d == 0 ;; RTE length (unsigned long long)n > 3
  return strlen(u + 1); //@ RTE null (u + 1) == 0
}
