enum mode { OFF, ON };
static int step(int x) { return x + 1; }
int example(int a, int b, const int *p, enum mode m) {
  int x = 0;
  if (a > 3 && b)
    x = a + b;
  while (x < 10)
    x = step(x);
  switch (m) {
  case ON: x++; break;
  default: x = p ? *p : 0;
  }
  return x / a;
}
