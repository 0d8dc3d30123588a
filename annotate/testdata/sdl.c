// criteria: WM-SDL
int g(int);
enum e { NO = -1, YES };
struct s { int i : 3; unsigned u : 5; enum e e : 2; _Bool b; char c; struct { int z; } in; };
int f(int a, struct s *s, int *p, volatile int *v, double d) {
  int x = 1;
  x = a; //@ WM SDL x != (__typeof__(x))a
  x += a; //@ WM SDL x != (__typeof__(x))(x + a)
  s->i = a; //@ WM SDL (s->i) != (long long)((unsigned long long)a << 61) >> 61
  s->u = a; //@ WM SDL (s->u) != ((unsigned long long)a & 31ULL)
  s->b = a; //@ WM SDL *(const unsigned char *)&(s->b) != (__typeof__(s->b))a
  s->c = g(a); //@ WM SDL (s->c) != (__typeof__(s->c))klb_1
  s->i += a; //@ WM SDL (s->i) != (long long)((unsigned long long)((s->i) + a) << 61) >> 61
  s->e = a; //@ WM SDL (s->e) != (long long)((unsigned long long)a << 62) >> 62
  s->i = d; //@ WM SDL (s->i) != (long long)((unsigned long long)(long long)d << 61) >> 61
  x += g(a); //@ WM SDL x != (__typeof__(x))(x + klb_2)
  p += a; //@ WM SDL p != (__typeof__(p))(p + a)
  *p++ = 3;
  a++;
  *v = 4;
  s->in = s->in;
  return x;
}
