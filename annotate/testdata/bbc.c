// criteria: BBC
int f(int a, int b) { //@ BBC 1
  int x = a;
  x++;
  if (a) { //@ BBC 1
    x = 1;
  } else if (b) //@ BBC 1
    x = 2; //@ BBC 1
  x++; //@ BBC 1
  while (b--) { //@ BBC 1
    if (b == 3) break; //@ BBC 1
    x++; //@ BBC 1
  }
  x--; //@ BBC 1
  switch (a) {
    int unused;
  case 1:
  case 2:
    x = 3; //@ BBC 1
    break;
  case 3 ... 7:
    x = 4; //@ BBC 1
  default:
    x++; //@ BBC 1
  }
  do //@ BBC 1
    x++; //@ BBC 1
  while (x < 5);
  return x; //@ BBC 1
  x = 77;
out:
  return a; //@ BBC 1
}
