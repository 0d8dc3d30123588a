/* expect: completed=3 tests=3 complete errors= */
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    if (x > y) return 1;
    if (c == 0x71) return 2;
    return 0;
}
