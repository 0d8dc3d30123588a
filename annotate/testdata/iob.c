// criteria: IOB
unsigned char f(int a, unsigned long b, _Bool c, short d, double e) { //@ IOB a == (-2147483647 - 1) ;; IOB a == 2147483647 ;; IOB b == 0 ;; IOB b == 18446744073709551615ULL ;; IOB c == 0 ;; IOB c == 1 ;; IOB d == (-32767 - 1) ;; IOB d == 32767
  if (a) return a; //@ IOB (unsigned char)a == 0 ;; IOB (unsigned char)a == 255
  return 3;
}
void g(long long x) { return; } //@ IOB x == (-9223372036854775807LL - 1) ;; IOB x == 9223372036854775807LL
