/* Functions whose constants tell how many items there are. */
#include <stddef.h>
#include <string.h>
#include <klabel/labels.h>

/* driver: --nonnull key --nonnull w */
int key_bits(const unsigned char *key, unsigned *w, int keysize)
{
    int rounds, i;

    switch (keysize) {
    case 40: rounds = 3; break;
    case 72: rounds = 5; break;
    default: return 0;
    }
    for (i = 0; i < 2 * (rounds + 1); i++) {
        w[i] = key[i % 4];
    }
    cov_label(keysize == 72 && w[11] == 7, 1, "CC");
    cov_label(keysize == 40, 2, "CC");
    return 1;
}

/* driver: --nonnull plan */
int rows(unsigned char plan[][6], _Bool back)
{
    unsigned i, j, to;

    for (i = 0; i < 8; i++) {
        if (back) {
            to = 7 - i;
        } else {
            to = i;
        }
        for (j = 0; j < 6; j++) {
            plan[to][j] = (unsigned char)(i + j);
        }
    }
    cov_label(back && plan[7][1] == 1, 3, "CC");
    cov_label(!back && plan[7][1] == 8, 4, "CC");
    return 0;
}

static void put_block(unsigned char *out, const unsigned char *in)
{
    memcpy(out, in, 8);
}

/* driver: --nonnull out --nonnull iv */
int whole_blocks(unsigned char *out, const void *iv)
{
    put_block(out, iv);
    put_block(out + 8, (const unsigned char *)iv + 8);
    cov_label(out[15] == 3, 5, "CC");
    return 0;
}

/* driver: --nonnull counter */
int another_length(unsigned char *counter, const unsigned char *nonce, int nonce_len)
{
    int i, sum = 0;

    for (i = 0; i < nonce_len; i++) {
        sum += nonce[i];
    }
    counter[11] = (unsigned char)sum;
    cov_label(nonce_len == 2 && counter[11] == 9, 6, "CC");
    return 0;
}

/* driver: --nonnull sum --nonnull t */
int passes_its_limit(const unsigned char *t, unsigned *sum, size_t len)
{
    size_t i;

    *sum = 0;
    if (len > 9) {
        cov_label(t[9] == 9, 7, "CC");
        return -1;
    }
    for (i = 0; i < len; i++) {
        *sum += t[i];
    }
    cov_label(len == 9 && *sum == 2, 8, "CC");
    return 0;
}

/* driver: --variant room --nonnull in --nonnull out */
int longer_output(const unsigned char *in, unsigned char *out, size_t len)
{
    size_t i;

    if (len > 5) {
        return -1;
    }
    for (i = 0; i < len; i++) {
        *out++ = (unsigned char)(in[i] >> 4);
        *out++ = (unsigned char)(in[i] & 15);
    }
    cov_label(len == 5 && out[-1] == 7, 9, "CC");
    return 0;
}

/* driver: --nonnull s */
int whole_text(const char *s, size_t len)
{
    if (len == (size_t)-1) {
        len = strlen(s);
        cov_label(len == 3 && s[0] == 'a', 10, "CC");
    }
    if (len > 100000) {
        cov_label(1, 11, "CC");
        return -1;
    }
    cov_label(len == 2 && s[0] == 'b', 12, "CC");
    return 0;
}

/* driver: --nonnull data */
int message(const unsigned char *data, unsigned size)
{
    if (size > 65536u) {
        cov_label(1, 13, "CC");
        return -1;
    }
    cov_label(size > 1 && data[1] == 9, 14, "CC");
    return 0;
}
