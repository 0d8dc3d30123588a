// criteria: SLO
int f(int a) {
  for (int i = 0; i < a; i++) //@ SLO !klb_1
    a--;
  if (a)
    while (a > 3) { a--; break; } //@ SLO !klb_2
  do a++; while (a < 0);
  for (;;) break;
  while (1) break;
  return a;
}
