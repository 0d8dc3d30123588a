// criteria: PATCH
// patch: testdata/patch.diff
int f(int a, int b) {
  int x = 0;
  if (a) { //@ PATCH 1
    x = 2;
    x++;
  } else {
    x = 3;
  }
  while (b > 1) { //@ PATCH 1
    b--;
    if (b == 5)
      x++;
  }
  return x; //@ PATCH 1
}
