/* Mode fuzz: how far a predicate is from holding. */
extern const volatile unsigned char *klabel_fuzz_view;
void klabel_fuzz_label(int id, unsigned distance);
void *klabel_fuzz_array(__SIZE_TYPE__ size);
/* Entries that let allocations fail ask for memory by these symbols, which no macro changes. */
__asm__(".set malloc, klabel_fuzz_malloc\n.set calloc, klabel_fuzz_calloc\n.set realloc, klabel_fuzz_realloc\n"
        ".set strdup, klabel_fuzz_strdup\n.set strndup, klabel_fuzz_strndup");
#define klabel_wants(id) (0x85 >> klabel_fuzz_view[id] & 1)
#define klabel_bits(n) (64u - (unsigned)__builtin_clzll((n) | 1))
#define klabel_missing(a, op, b) ({ __typeof__((a) + (b)) klabel_a = (a), klabel_b = (b); klabel_a op klabel_b ? 0u : \
    klabel_a > klabel_b ? klabel_bits((unsigned long long)klabel_a - (unsigned long long)klabel_b) : \
    klabel_bits((unsigned long long)klabel_b - (unsigned long long)klabel_a); })
__attribute__((nodebug, unused)) static long long klabel_order(double x) {
    union { double x; long long n; } u;
    u.x = x;
    return u.n < 0 ? (long long)(1ull << 63) - u.n : u.n;
}
#define klabel_missing_fp(a, op, b) ({ double klabel_a = (a), klabel_b = (b); klabel_a op klabel_b ? 0u : \
    klabel_bits(klabel_a > klabel_b ? \
    (unsigned long long)klabel_order(klabel_a) - (unsigned long long)klabel_order(klabel_b) : \
    (unsigned long long)klabel_order(klabel_b) - (unsigned long long)klabel_order(klabel_a)); })
