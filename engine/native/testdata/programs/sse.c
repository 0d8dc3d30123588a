/* expect: greybox infeasible=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22 complete */
/* Instructions of SSE2 on symbolic elements against what they are to do: each label says that one does not. */
#include <emmintrin.h>
#include <klee/klee.h>
#include <string.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
#define WRONG(c, i) L(!(c), i)

static unsigned char out[16];
static void put(__m128i v) { _mm_storeu_si128((__m128i *)out, v); }
static int word(int i) { short w; memcpy(&w, out + 2 * i, 2); return w; }
static int cut(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static unsigned distance(unsigned x, unsigned y) { return x < y ? y - x : x - y; }

static void integers(void)
{
    int k[4];
    unsigned char c[16];
    short w[8];
    unsigned long sum = 0, two;
    __m128i m;
    klee_make_symbolic(k, sizeof k, "k");
    memcpy(c, k, 16), memcpy(w, k, 16);
    m = _mm_loadu_si128((const __m128i *)k);
    put(_mm_packus_epi16(m, m));
    WRONG(out[0] == cut(w[0], 0, 255) && out[11] == cut(w[3], 0, 255), 1)
    put(_mm_packs_epi16(m, m));
    WRONG((signed char)out[1] == cut(w[1], -128, 127), 2)
    put(_mm_packs_epi32(m, m));
    WRONG(word(3) == cut(k[3], -32768, 32767), 3)
    put(_mm_sad_epu8(_mm_and_si128(m, _mm_setr_epi32(255, 255, 0, 0)), _mm_set1_epi8(100)));
    for (int i = 0; i < 8; i++)
        sum += distance(i % 4 ? 0 : c[i], 100);
    memcpy(&two, out, 8);
    WRONG(two == sum, 4)
    put(_mm_madd_epi16(m, _mm_setr_epi16(3, -5, 7, 1, 2, 3, 4, 5)));
    WRONG(_mm_cvtsi128_si32(_mm_loadu_si128((const __m128i *)out)) == 3 * w[0] - 5 * w[1], 5)
    put(_mm_mulhi_epi16(m, _mm_set1_epi16(77)));
    WRONG(word(2) == w[2] * 77 >> 16, 6)
    put(_mm_mulhi_epu16(m, _mm_set1_epi16(77)));
    WRONG((unsigned short)word(2) == (unsigned short)w[2] * 77u >> 16, 7)
    put(_mm_avg_epu8(m, _mm_set1_epi8(4)));
    WRONG(out[15] == (c[15] + 5) / 2, 8)
    put(_mm_slli_epi32(m, 5));
    WRONG(_mm_cvtsi128_si32(_mm_loadu_si128((const __m128i *)out)) == (int)((unsigned)k[0] << 5), 9)
    put(_mm_srl_epi16(m, _mm_cvtsi32_si128(3)));
    WRONG((unsigned short)word(7) == (unsigned short)w[7] >> 3, 10)
    put(_mm_srl_epi16(m, _mm_cvtsi32_si128(16)));
    WRONG(word(7) == 0, 11)
    put(_mm_sra_epi16(m, _mm_setr_epi32(4, 1, 0, 0)));
    WRONG(word(1) == (w[1] < 0 ? -1 : 0), 12)
    put(_mm_srai_epi32(m, 40));
    WRONG(word(0) == (k[0] < 0 ? -1 : 0), 13)
    put(_mm_adds_epu8(m, m));
    WRONG(out[9] == cut(2 * c[9], 0, 255), 14)
}

static void numbers(void)
{
    float x[4];
    double d;
    __m128 v, w;
    klee_make_symbolic(x, sizeof x, "x");
    klee_make_symbolic(&d, sizeof d, "d");
    v = _mm_loadu_ps(x), w = _mm_setr_ps(1, 2, 3, 4);
    memcpy(out, (float[4]){0}, 16);
    _mm_storeu_ps((float *)out, _mm_max_ps(v, w));
    WRONG(((float *)out)[2] == (x[2] > 3 ? x[2] : 3), 15)
    _mm_storeu_ps((float *)out, _mm_min_ss(w, v));
    WRONG(((float *)out)[3] == 4 && (x[0] != x[0] || ((float *)out)[0] == (x[0] > 1 ? 1 : x[0])), 16)
    WRONG(_mm_comilt_ss(v, w) == (x[0] < 1) && _mm_ucomineq_ss(v, w) == (x[0] != 1), 17)
    WRONG((_mm_movemask_ps(_mm_cmpnle_ps(v, w)) & 2) == (x[1] <= 2 ? 0 : 2), 18)
    WRONG(_mm_cvttss_si32(v) == (x[0] > -2147483904.0f && x[0] < 2147483648.0f ? (int)x[0] : -2147483647 - 1), 19)
    WRONG(!(d > 2.5 && d < 3.5) || _mm_cvtsd_si64(_mm_set_sd(d)) == 3, 20)
    put(_mm_cvtps_epi32(_mm_setr_ps(2.5f, 3.5f, -0.5f, 1e20f)));
    WRONG(word(0) == 2 && word(2) == 4 && word(4) == 0 && word(7) == -32768, 21)
    WRONG(_mm_movemask_pd(_mm_cmplt_sd(_mm_set1_pd(d), _mm_set1_pd(3))) % 2 == (d < 3), 22)
}

int main(void)
{
    integers();
    numbers();
    return 0;
}
