// criteria: FC
static inline int id(int a) { return a; } //@ FC 1
int old(a, b)
int a;
char *b;
{ //@ FC 1
  return id(a) + *b;
}
