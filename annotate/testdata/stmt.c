// criteria: STMT
int f(int a, int *p) {
  int x = 0, y;
  x = a; //@ STMT 1
  if (a) //@ STMT 1
    x++; //@ STMT 1
  else
    if (a > 2) x--; //@ STMT 1 ;; STMT 1
  for (y = 0; y < 3; y++) //@ STMT 1
    x += y; //@ STMT 1
  {
    ;
    *p = x; //@ STMT 1
  }
again:
  switch (a) { //@ STMT 1
  case 1:
  case 2: x = 1; //@ STMT 1
    break; //@ STMT 1
  default:
    x = ({ int t = a; t++; t; }); //@ STMT 1 ;; STMT 1 ;; STMT 1
  }
  while (x > 9) { x--; if (x == 4) goto again; continue; } //@ STMT 1 ;; STMT 1 ;; STMT 1 ;; STMT 1 ;; STMT 1
  do x++; while (x < 3); //@ STMT 1 ;; STMT 1
  __asm__("nop"); //@ STMT 1
  return x; //@ STMT 1
}
