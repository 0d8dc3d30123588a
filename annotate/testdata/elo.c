// criteria: ELO
int f(int a) {
  for (int i = 0; i < a; i++)
    a--; //@ ELO 1
  while (a > 3) { a--; } //@ ELO 1
  do a++; while (a < 0); //@ ELO 1
  return a;
}
