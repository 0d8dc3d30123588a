// criteria: FCC
int g(int), h(void);
int f(int a, int (*fp)(int)) {
  h(); //@ FCC 1
  a = g(a) + g(a + 1); //@ FCC 1
  return fp(a); //@ FCC 1
}
