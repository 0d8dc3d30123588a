// criteria: CC,STMT
// lines: 4-11
int f(int a, int b) {
  if (a) return 1; //@ STMT 1 ;; CC a ;; CC !a ;; STMT 1
  if (b) return 2; // klabel: ignore
  /* klabel: ignore-begin */
  if (a > b) return 3;
  // klabel: ignore-end
  if (b > 9) return 4; //@ STMT 1 ;; CC (b > 9) ;; CC !(b > 9) ;; STMT 1
  char *s = "klabel: ignore";
  a++; //@ STMT 1
  if (a) return 5;
  return 0;
}
