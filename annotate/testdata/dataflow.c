// criteria: ADC,AUC
int g(int *);
int f(int a, int n) {
  int x = a, unused = 3, seen; //@ ADC,AUC klb_set_a_1 == 3
  int taken = 0;
  for (int i = 0; i < n; i++) //@ ADC,AUC klb_set_i_7 == 601 ;; ADC,AUC klb_set_i_7 == 602 ;; ADC,AUC klb_set_n_2 == 3 ;; ADC,AUC klb_set_i_7 == 601 ;; ADC,AUC klb_set_i_7 == 602
    x += i; //@ ADC,AUC klb_set_x_4 == 4 ;; ADC,AUC klb_set_x_4 == 7 ;; ADC,AUC klb_set_i_7 == 601 ;; ADC,AUC klb_set_i_7 == 602
  if (n > 3) //@ ADC,AUC klb_set_n_2 == 3
    x = 2;
  while (n--) //@ ADC,AUC klb_set_n_2 == 3 ;; ADC,AUC klb_set_n_2 == 10
    if (x && (seen = a)) //@ ADC,AUC klb_set_x_4 == 4 ;; ADC,AUC klb_set_x_4 == 7 ;; ADC,AUC klb_set_x_4 == 9 ;; ADC,AUC klb_set_a_1 == 3
      return x + seen; //@ ADC,AUC klb_set_x_4 == 4 ;; ADC,AUC klb_set_x_4 == 7 ;; ADC,AUC klb_set_x_4 == 9 ;; ADC,AUC klb_set_seen_9 == 11
  g(&taken);
  return x + taken; //@ ADC,AUC klb_set_x_4 == 4 ;; ADC,AUC klb_set_x_4 == 7 ;; ADC,AUC klb_set_x_4 == 9
}
int h(int a) {
  switch (a) { //@ ADC,AUC klb_set_a_22 == 16
  case 1: a = 4;
  case 2: return a; //@ ADC,AUC klb_set_a_22 == 16 ;; ADC,AUC klb_set_a_22 == 18
  default: break;
  }
again:
  if (a++ < 9) goto again; //@ ADC,AUC klb_set_a_22 == 16 ;; ADC,AUC klb_set_a_22 == 18 ;; ADC,AUC klb_set_a_22 == 23
  volatile int v = a; //@ ADC,AUC klb_set_a_22 == 23
  return v ? sizeof(a) : a; //@ ADC,AUC klb_set_a_22 == 23
}
static int kept, given, taken = 3;
static struct { int a; struct { char b; } in; unsigned c : 3; } parts;
int *leak = &taken;
int put(int x) {
  static int calls;
  struct { int n, m[2]; } s = {x}, t; //@ ADC,AUC klb_set_x_25 == 30
  calls++; //@ ADC,AUC klb_set_calls_11 == 33
  kept = s.n;
  t = s;
  if (calls > 2 && taken) //@ ADC,AUC klb_set_calls_11 == 33
    parts.in.b = kept; //@ ADC,AUC klb_set_kept_13 == 34
  given = x; //@ ADC,AUC klb_set_x_25 == 30
  parts.c = t.n;
  return given + parts.a; //@ ADC,AUC klb_set_given_18 == 38 ;; ADC,AUC klb_set_parts_a_20 == 47
}
int take(void) {
  int r = kept; //@ ADC,AUC klb_set_kept_13 == 34 ;; ADC,AUC klb_set_kept_13 == 46
  put(r); //@ ADC,AUC klb_set_r_26 == 43
  if (kept) //@ ADC,AUC klb_set_kept_13 == 34 ;; ADC,AUC klb_set_kept_13 == 46
    kept = 0;
  parts.a = parts.in.b; //@ ADC,AUC klb_set_parts_in_b_16 == 37
  return parts.c;
}
