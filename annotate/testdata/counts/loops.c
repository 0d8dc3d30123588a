#include <stdio.h>
/* Every form of decision, run many times: the counts of its labels are
   compared with those of clang's branch coverage. */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
struct bits { unsigned f : 3; int s : 4; };
static volatile int vol = 3;
static unsigned state = 1;
static unsigned next(void) { return state = state * 1103515245u + 12345u; }
static int eff(int x) { state ^= 5; return x & 1; }

static int loops(int n) {
  int sum = 0, i;
  for (i = 0; i < n; i++) {
    if (i == 3) continue;
    if (i > 7 && next() & 64) break;
    sum += i;
  }
  while (i-- > 0 && sum < 1000) sum += eff(i) ? 2 : 1;
  do {
    sum--;
    if (sum % 5 == 0) continue;
    sum -= eff(sum);
  } while (sum > n && eff(sum + 1) | 1);
  return sum;
}

static int choose(unsigned x, struct bits *b, double d) {
  int r = 0;
  switch (x % 9) {
  case 0: r = 1;
  case 1: r += 2; break;
  case 2:
  case 3: r = 5; break;
  case 5 ... 6: r = 7; break;
  }
  switch (b->f) { case 1: r++; break; case 7: r--; default: r += 3; }
  if (!(x & 1) || b->s < 0) r++;
  if (d > 0.5 && (x & 2 || !b->f) && !eff(x)) r += 2;
  r += x > 5 ? 1 : b->f ? 2 : 3;
  r += eff(r) ?: 4;
  r += (x & 4) && vol;
  if (__builtin_expect(!!(x == 12), 0)) r++;
  if (vol == 3 && MIN(x, 3u) > 2) r++;
  return r ? r : ({ int t = x; if (t > 2) t = 2; t; });
}

static int jumps(int n) {
  int i = 0;
again:
  if (++i < n) goto again;
  while (1) { if (i-- == 0) break; }
  for (;;) { if (++i >= 3) return i; }
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 200; i++) {
    struct bits b = { next() >> 8, (int)(next() >> 9) % 8 };
    sum += loops(i % 13) + choose(next() >> 7, &b, (next() >> 16) / 65536.0) + jumps(i % 5);
  }
  printf("%ld\n", sum);
  return 0;
}
