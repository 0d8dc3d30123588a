/* The printf family into memory. */
#include "libc.h"

struct sink {
    char *dst;
    size_t size, n;
};

static void put(struct sink *s, char c)
{
    if (s->n + 1 < s->size) s->dst[s->n] = c;
    s->n++;
}

static void pad(struct sink *s, char c, int n)
{
    while (n-- > 0) put(s, c);
}

struct spec {
    int left, plus, space, alt, zero, width, precision, length;
};

static void put_text(struct sink *s, const struct spec *f, const char *text, int n)
{
    if (!f->left) pad(s, ' ', f->width - n);
    for (int i = 0; i < n; i++) put(s, text[i]);
    if (f->left) pad(s, ' ', f->width - n);
}

static void put_number(struct sink *s, const struct spec *f, unsigned long long v, int negative,
                       unsigned base, int upper, int sign)
{
    char digits[66], prefix[3];
    int n = 0, p = 0, zeros, length;
    while (v) {
        unsigned d = (unsigned)(v % base);
        digits[n++] = (char)(d < 10 ? '0' + d : (upper ? 'A' : 'a') + d - 10);
        v /= base;
    }
    if (f->alt && base == 16 && n) {
        prefix[p++] = '0';
        prefix[p++] = upper ? 'X' : 'x';
    } else if (sign && (negative || f->plus || f->space)) {
        prefix[p++] = negative ? '-' : f->plus ? '+' : ' ';
    }
    zeros = (f->precision < 0 ? 1 : f->precision) - n;
    if (f->alt && base == 8 && zeros <= 0) zeros = 1;
    if (zeros < 0) zeros = 0;
    if (f->zero && !f->left && f->precision < 0 && f->width > p + n + zeros) zeros = f->width - p - n;
    length = p + n + zeros;
    if (!f->left) pad(s, ' ', f->width - length);
    for (int i = 0; i < p; i++) put(s, prefix[i]);
    pad(s, '0', zeros);
    while (n) put(s, digits[--n]);
    if (f->left) pad(s, ' ', f->width - length);
}

/* %f and %e with small numbers; others are written as if they were 0. */
static void put_double(struct sink *s, const struct spec *f, double v)
{
    struct spec g = *f;
    char text[64];
    int n = 0, digits = f->precision < 0 ? 6 : f->precision > 15 ? 15 : f->precision, negative = v < 0;
    unsigned long long scale = 1, whole, part;
    klabel_gap("a number with a fraction is written into a text");
    if (negative) v = -v;
    for (int i = 0; i < digits; i++) scale *= 10;
    if (!(v < 1e18 / (double)scale)) {
        put_text(s, f, negative ? "-inf" : "inf", negative ? 4 : 3);
        return;
    }
    whole = (unsigned long long)(v * (double)scale + 0.5);
    part = whole % scale;
    whole /= scale;
    for (int i = 0; i < digits; i++) {
        text[n++] = (char)('0' + part % 10);
        part /= 10;
    }
    if (digits) text[n++] = '.';
    do {
        text[n++] = (char)('0' + whole % 10);
        whole /= 10;
    } while (whole);
    if (negative) text[n++] = '-';
    for (int i = 0; i < n / 2; i++) {
        char t = text[i];
        text[i] = text[n - 1 - i];
        text[n - 1 - i] = t;
    }
    put_text(s, &g, text, n);
}

static const char *read_spec(struct spec *f, const char *p, int *stars)
{
    memset(f, 0, sizeof *f);
    f->precision = -1;
    for (;; p++) {
        if (*p == '-') f->left = 1;
        else if (*p == '+') f->plus = 1;
        else if (*p == ' ') f->space = 1;
        else if (*p == '#') f->alt = 1;
        else if (*p == '0') f->zero = 1;
        else break;
    }
    *stars = 0;
    if (*p == '*') {
        *stars |= 1;
        p++;
    }
    while (isdigit(*p)) f->width = f->width * 10 + *p++ - '0';
    if (*p == '.') {
        f->precision = 0;
        p++;
        if (*p == '*') {
            *stars |= 2;
            p++;
        }
        while (isdigit(*p)) f->precision = f->precision * 10 + *p++ - '0';
    }
    for (;; p++) {
        if (*p == 'h') f->length--;
        else if (*p == 'l') f->length++;
        else if (*p == 'j') f->length = 2;
        else if (*p == 'z' || *p == 't') f->length = 1;
        else if (*p == 'L') f->length = 3;
        else return p;
    }
}

int vsnprintf(char *dst, size_t size, const char *p, va_list ap)
{
    struct sink s = {dst, size, 0};
    for (; *p; p++) {
        struct spec f;
        int stars;
        if (*p != '%') {
            put(&s, *p);
            continue;
        }
        p = read_spec(&f, p + 1, &stars);
        if (stars & 1) {
            f.width = va_arg(ap, int);
            if (f.width < 0) {
                f.left = 1;
                f.width = -f.width;
            }
        }
        if (stars & 2) f.precision = va_arg(ap, int);
        switch (*p) {
        case 'd':
        case 'i': {
            long long v = f.length > 1 ? va_arg(ap, long long) : f.length > 0 ? va_arg(ap, long) : va_arg(ap, int);
            if (f.length == -1) v = (short)v;
            if (f.length < -1) v = (signed char)v;
            put_number(&s, &f, v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v, v < 0, 10, 0, 1);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long long v = f.length > 1 ? va_arg(ap, unsigned long long)
                                   : f.length > 0 ? va_arg(ap, unsigned long) : va_arg(ap, unsigned);
            if (f.length == -1) v = (unsigned short)v;
            if (f.length < -1) v = (unsigned char)v;
            put_number(&s, &f, v, 0, *p == 'u' ? 10 : *p == 'o' ? 8 : 16, *p == 'X', 0);
            break;
        }
        case 'p':
            klabel_gap("an address is written into a text");
            f.alt = 1;
            put_number(&s, &f, (unsigned long)va_arg(ap, void *), 0, 16, 0, 0);
            break;
        case 'c': {
            char c = (char)va_arg(ap, int);
            put_text(&s, &f, &c, 1);
            break;
        }
        case 's': {
            const char *text = va_arg(ap, const char *);
            if (!text) text = "(null)";
            put_text(&s, &f, text, (int)(f.precision < 0 ? strlen(text) : strnlen(text, (size_t)f.precision)));
            break;
        }
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
            put_double(&s, &f, f.length == 3 ? (double)va_arg(ap, long double) : va_arg(ap, double));
            break;
        case 'n':
            *va_arg(ap, int *) = (int)s.n;
            break;
        case '%':
            put(&s, '%');
            break;
        case 0:
            p--;
            break;
        default:
            put(&s, *p);
        }
    }
    if (size) dst[s.n < size ? s.n : size - 1] = 0;
    return (int)s.n;
}

int snprintf(char *dst, size_t size, const char *format, ...)
{
    va_list ap;
    int n;
    va_start(ap, format);
    n = vsnprintf(dst, size, format, ap);
    va_end(ap);
    return n;
}

#define NO_LIMIT 0x7fffffffUL
int vsprintf(char *dst, const char *format, va_list ap) { return vsnprintf(dst, NO_LIMIT, format, ap); }

int sprintf(char *dst, const char *format, ...)
{
    va_list ap;
    int n;
    va_start(ap, format);
    n = vsnprintf(dst, NO_LIMIT, format, ap);
    va_end(ap);
    return n;
}
