// criteria: LOOP,CALL
int g(int);
int f(int a, int (*h)(int)) {
  for (int i = 0; i < a; i++) //@ LOOP klb_1 == 0 ;; LOOP klb_1 == 1 ;; LOOP klb_1 == 2
    g(i); //@ CALL 1
  do a++; while (g(a) < 0); //@ LOOP klb_2 == 1 ;; LOOP klb_2 == 2 ;; CALL 1
  if (a) while (a-- > 3) { if (h(a)) break; } //@ LOOP klb_3 == 0 ;; LOOP klb_3 == 1 ;; LOOP klb_3 == 2 ;; CALL 1
  for (;;) break;
  return g(g(a)); //@ CALL 1 ;; CALL 1
}
