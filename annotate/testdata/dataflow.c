// criteria: ADC,AUC
int g(int *);
int f(int a, int n) { //@ ADC klb_set_a_1 == 3 ;; ADC klb_set_n_2 == 3
  int x = a, unused = 3, seen; //@ ADC klb_set_x_4 == 4 ;; AUC klb_set_a_1 == 3
  int taken = 0;
  for (int i = 0; i < n; i++) //@ ADC klb_set_i_7 == 601 ;; AUC klb_set_i_7 == 601 ;; AUC klb_set_i_7 == 602 ;; AUC klb_set_n_2 == 3 ;; AUC klb_set_i_7 == 601 ;; AUC klb_set_i_7 == 602 ;; ADC klb_set_i_7 == 602
    x += i; //@ AUC klb_set_x_4 == 4 ;; AUC klb_set_x_4 == 7 ;; ADC klb_set_x_4 == 7 ;; AUC klb_set_i_7 == 601 ;; AUC klb_set_i_7 == 602
  if (n > 3) //@ AUC klb_set_n_2 == 3
    x = 2; //@ ADC klb_set_x_4 == 9
  while (n--) //@ ADC,AUC klb_set_n_2 == 10 ;; AUC klb_set_n_2 == 3
    if (x && (seen = a)) //@ AUC klb_set_x_4 == 4 ;; AUC klb_set_x_4 == 7 ;; AUC klb_set_x_4 == 9 ;; AUC klb_set_a_1 == 3
      return x + seen; //@ AUC klb_set_x_4 == 4 ;; AUC klb_set_x_4 == 7 ;; AUC klb_set_x_4 == 9 ;; ADC,AUC klb_set_seen_9 == 11
  g(&taken);
  return x + taken; //@ AUC klb_set_x_4 == 4 ;; AUC klb_set_x_4 == 7 ;; AUC klb_set_x_4 == 9
}
int h(int a) { //@ ADC klb_set_a_18 == 16
  switch (a) { //@ AUC klb_set_a_18 == 16
  case 1: a = 4; //@ ADC klb_set_a_18 == 18
  case 2: return a; //@ AUC klb_set_a_18 == 16 ;; AUC klb_set_a_18 == 18
  default: break;
  }
again:
  if (a++ < 9) goto again; //@ AUC klb_set_a_18 == 16 ;; AUC klb_set_a_18 == 18 ;; AUC klb_set_a_18 == 23 ;; ADC klb_set_a_18 == 23
  volatile int v = a; //@ AUC klb_set_a_18 == 23
  return v ? sizeof(a) : a; //@ AUC klb_set_a_18 == 23
}
