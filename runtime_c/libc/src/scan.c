/* Numbers with a fraction, and the scanf family. */
#include "libc.h"

static double power(int n)
{
    double p = 1;
    while (n-- > 0) p *= 10;
    return p;
}

static int starts(const char *s, const char *word)
{
    for (; *word; s++, word++)
        if (tolower((unsigned char)*s) != *word) return 0;
    return 1;
}

static int hex_digit(char c)
{
    if (isdigit((unsigned char)c)) return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Up to 15 digits and powers up to 10 to the 22nd are exact, so that one
 * multiplication rounds as it should; where it is more, that is said. */
static double decimal(const char *s, char **end)
{
    unsigned long long v = 0;
    int digits = 0, any = 0, scale = 0, point = 0;
    double value;
    for (;; s++) {
        if (isdigit((unsigned char)*s)) {
            any = 1;
            if (digits < 18) {
                v = v * 10 + (unsigned long long)(*s - '0');
                digits += v != 0;
                scale -= point;
            } else {
                klabel_gap("a number in a text has more than 18 digits");
                scale += !point;
            }
        } else if (*s == '.' && !point) {
            if (!any && !isdigit((unsigned char)s[1])) break;
            point = 1;
        } else {
            break;
        }
    }
    if (!any) return 0;
    if (*s == 'e' || *s == 'E') {
        const char *p = s + 1;
        int negative = 0, e = 0;
        if (*p == '+' || *p == '-') negative = *p++ == '-';
        if (isdigit((unsigned char)*p)) {
            for (; isdigit((unsigned char)*p); p++)
                if (e < 10000) e = e * 10 + (*p - '0');
            s = p;
            scale += negative ? -e : e;
        }
    }
    *end = (char *)s;
    if (v == 0) return 0;
    if (scale > 330 || scale < -400) { /* whatever the digits: no loop over an unknown power */
        *__errno_location() = 34;
        return scale > 0 ? __builtin_inf() : 0;
    }
    if (v >> 53 != 0 || scale < -22 || scale > 22)
        klabel_gap("a number in a text has too many digits, or too large an exponent");
    value = scale < 0 ? (double)v / power(-scale) : (double)v * power(scale);
    if (value > 0x1.fffffffffffffp1023 || value < 0x1p-1022) *__errno_location() = 34;
    return value;
}

double strtod(const char *text, char **end)
{
    const char *s = text;
    char *stop = NULL;
    int negative = 0;
    double v = 0;
    while (isspace((unsigned char)*s)) s++;
    if (*s == '-' || *s == '+') negative = *s++ == '-';
    if (starts(s, "inf")) {
        stop = (char *)s + (starts(s, "infinity") ? 8 : 3);
        v = __builtin_inf();
    } else if (starts(s, "nan")) {
        stop = (char *)s + 3;
        if (*stop == '(') klabel_gap("nan(...) in a text");
        v = __builtin_nan("");
    } else if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
               && (hex_digit(s[2]) >= 0 || (s[2] == '.' && hex_digit(s[3]) >= 0))) {
        klabel_gap("a hexadecimal number with a fraction in a text");
        stop = (char *)s + 1;
    } else {
        v = decimal(s, &stop);
    }
    if (end) *end = stop ? stop : (char *)text;
    if (!stop) return 0;
    return negative ? -v : v;
}

/* Rounded twice; that makes a difference beyond what fits exactly only. */
float strtof(const char *s, char **end)
{
    double v = strtod(s, end);
    if ((double)(float)v != v && v == v) klabel_gap("a number in a text is rounded to float");
    return (float)v;
}
long double strtold(const char *s, char **end)
{
    double v = strtod(s, end);
    if (v != (double)(long long)v) klabel_gap("a number in a text is converted to long double");
    return (long double)v;
}
double atof(const char *s) { return strtod(s, NULL); }

/* What scanf reads from: a text, or standard input. */
struct source {
    const char *text;
    void *file;
    int count; /* characters taken */
};

static int take(struct source *s)
{
    int c = s->file ? fgetc(s->file) : *s->text ? (unsigned char)*s->text++ : -1;
    if (c >= 0) s->count++;
    return c;
}

static void give_back(struct source *s, int c)
{
    if (c < 0) return;
    s->count--;
    if (s->file) ungetc(c, s->file);
    else s->text--;
}

static void skip_space(struct source *s)
{
    int c;
    do c = take(s);
    while (c >= 0 && isspace(c));
    give_back(s, c);
}

enum { WORD = 128 };

/* The text of a number as it is collected. */
struct word {
    struct source *from;
    char text[WORD];
    int n, left; /* left: characters that may still be taken */
    int c;       /* the next one, -1 for none */
};

static void look(struct word *w) { w->c = w->left > 0 ? take(w->from) : -1; }

static void next(struct word *w)
{
    w->text[w->n++] = (char)w->c;
    w->left--;
    look(w);
}

static void begin(struct word *w, struct source *from, int width)
{
    w->from = from;
    w->n = 0;
    w->left = width > 0 && width < WORD ? width : WORD - 1;
    look(w);
    if (w->c == '-' || w->c == '+') next(w);
}

static int finish(struct word *w, int digits)
{
    give_back(w->from, w->c);
    if (w->n == WORD - 1) klabel_gap("scanf of a very long number");
    w->text[w->n] = 0;
    return digits;
}

/* Both return the number of digits: 0 if there is no number. */
static int integer(struct word *w, struct source *from, int width, int base)
{
    int digits = 0;
    begin(w, from, width);
    if (w->c == '0' && (base == 0 || base == 16)) {
        next(w);
        digits = 1;
        if (w->c == 'x' || w->c == 'X') {
            next(w);
            base = 16;
            if (w->c < 0 || hex_digit((char)w->c) < 0) klabel_gap("scanf of 0x without digits"); /* glibcs differ */
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0) base = 10;
    for (; w->c >= 0 && hex_digit((char)w->c) >= 0 && hex_digit((char)w->c) < base; digits++) next(w);
    return finish(w, digits);
}

static int fraction(struct word *w, struct source *from, int width)
{
    int digits = 0;
    begin(w, from, width);
    if (w->c >= 0 && isalpha(w->c)) klabel_gap("scanf of inf or nan");
    for (; w->c >= 0 && isdigit(w->c); digits++) next(w);
    if (digits == 1 && w->text[w->n - 1] == '0' && (w->c == 'x' || w->c == 'X'))
        klabel_gap("scanf of a hexadecimal number with a fraction");
    if (w->c == '.') {
        next(w);
        for (; w->c >= 0 && isdigit(w->c); digits++) next(w);
    }
    if (digits && (w->c == 'e' || w->c == 'E')) {
        next(w);
        if (w->c == '-' || w->c == '+') next(w);
        if (w->c < 0 || !isdigit(w->c)) klabel_gap("scanf of an exponent without digits"); /* glibcs differ */
        while (w->c >= 0 && isdigit(w->c)) next(w);
    }
    return finish(w, digits);
}

static void store(void *to, long long v, int length)
{
    if (length < -1) *(signed char *)to = (signed char)v;
    else if (length == -1) *(short *)to = (short)v;
    else if (length == 0) *(int *)to = (int)v;
    else if (length == 1) *(long *)to = (long)v;
    else *(long long *)to = v;
}

/* As glibc does: what is too large for long becomes its largest number first. */
static long long converted(const char *text, int base, int sign, int wide)
{
    if (wide) return sign ? strtoll(text, NULL, base) : (long long)strtoull(text, NULL, base);
    return sign ? strtol(text, NULL, base) : (long)strtoul(text, NULL, base);
}

/* Reads a set such as [^a-z]; returns what follows it. */
static const char *read_set(const char *p, unsigned char *set)
{
    int invert = *p == '^', first = 1;
    memset(set, invert, 256);
    p += invert;
    for (; *p && (*p != ']' || first); p++, first = 0) {
        int from = (unsigned char)*p, to = from;
        if (p[1] == '-' && p[2] && p[2] != ']') {
            to = (unsigned char)p[2];
            p += 2;
        }
        for (; from <= to; from++) set[from] = (unsigned char)!invert;
    }
    return *p ? p : p - 1;
}

static int scan(struct source *s, const char *p, va_list ap)
{
    int done = 0, c;
    for (; *p; p++) {
        int drop = 0, width = 0, length = 0;
        if (isspace((unsigned char)*p)) {
            skip_space(s);
            continue;
        }
        if (*p != '%') {
            c = take(s);
            if (c != (unsigned char)*p) {
                give_back(s, c);
                return c < 0 && done == 0 ? -1 : done;
            }
            continue;
        }
        p++;
        if (*p == '*') drop = 1, p++;
        while (isdigit((unsigned char)*p)) width = width * 10 + (*p++ - '0');
        for (;; p++) {
            if (*p == 'h') length--;
            else if (*p == 'l' || *p == 'q') length++;
            else if (*p == 'j') length = 2;
            else if (*p == 'z' || *p == 't') length = 1;
            else if (*p == 'L') length = 3;
            else break;
        }
        if (*p != 'c' && *p != '[' && *p != 'n') skip_space(s);
        if (*p != 'n' && *p != '%') { /* the end before a conversion */
            c = take(s);
            if (c < 0) return done ? done : -1;
            give_back(s, c);
        }
        switch (*p) {
        case '%':
            c = take(s);
            if (c != '%') {
                give_back(s, c);
                return c < 0 && done == 0 ? -1 : done;
            }
            continue;
        case 'n':
            if (!drop) store(va_arg(ap, void *), s->count, length);
            continue;
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
        case 'p': {
            struct word w;
            int base = *p == 'i' ? 0 : *p == 'o' ? 8 : *p == 'd' || *p == 'u' ? 10 : 16;
            if (*p == 'p') length = 1;
            if (!integer(&w, s, width, base)) return done;
            if (!drop)
                store(va_arg(ap, void *), converted(w.text, base, *p == 'd' || *p == 'i', length > 1), length);
            break;
        }
        case 'a':
        case 'e':
        case 'E':
        case 'f':
        case 'g':
        case 'G': {
            struct word w;
            if (!fraction(&w, s, width)) return done;
            if (!drop) {
                if (length == 3) *va_arg(ap, long double *) = strtold(w.text, NULL);
                else if (length > 0) *va_arg(ap, double *) = strtod(w.text, NULL);
                else *va_arg(ap, float *) = strtof(w.text, NULL);
            }
            break;
        }
        case 'c':
        case 's':
        case '[': {
            unsigned char set[256];
            char kind = *p, *to = drop ? NULL : va_arg(ap, char *);
            int n = 0, most = width ? width : kind == 'c' ? 1 : 0x7fffffff;
            if (length > 0) klabel_gap("scanf of wide characters");
            if (kind == '[') p = read_set(p + 1, set);
            while (n < most) {
                c = take(s);
                if (c < 0) break;
                if (kind == 's' ? isspace(c) : kind == '[' && !set[c]) {
                    give_back(s, c);
                    break;
                }
                if (to) to[n] = (char)c;
                n++;
            }
            if (n == 0) return done;
            if (kind == 'c' && n < most) klabel_gap("scanf of fewer characters than asked for"); /* glibcs differ */
            if (to && kind != 'c') to[n] = 0;
            break;
        }
        default:
            klabel_gap("a conversion of scanf that is not known");
            return done;
        }
        done += !drop;
    }
    return done;
}

int vsscanf(const char *text, const char *format, va_list ap)
{
    struct source s = {text, NULL, 0};
    return scan(&s, format, ap);
}
int sscanf(const char *text, const char *format, ...)
{
    va_list ap;
    int n;
    va_start(ap, format);
    n = vsscanf(text, format, ap);
    va_end(ap);
    return n;
}
int vfscanf(void *file, const char *format, va_list ap)
{
    struct source s = {NULL, file, 0};
    int n = scan(&s, format, ap);
    klabel_has_read(n > 0);
    return n;
}
int fscanf(void *file, const char *format, ...)
{
    va_list ap;
    int n;
    va_start(ap, format);
    n = vfscanf(file, format, ap);
    va_end(ap);
    return n;
}
int vscanf(const char *format, va_list ap) { return vfscanf(stdin, format, ap); }
int scanf(const char *format, ...)
{
    va_list ap;
    int n;
    va_start(ap, format);
    n = vfscanf(stdin, format, ap);
    va_end(ap);
    return n;
}

/* The names that glibc's headers give them. */
int __isoc99_sscanf(const char *, const char *, ...) __attribute__((alias("sscanf")));
int __isoc99_fscanf(void *, const char *, ...) __attribute__((alias("fscanf")));
int __isoc99_scanf(const char *, ...) __attribute__((alias("scanf")));
int __isoc23_sscanf(const char *, const char *, ...) __attribute__((alias("sscanf")));
int __isoc23_fscanf(void *, const char *, ...) __attribute__((alias("fscanf")));
int __isoc23_scanf(const char *, ...) __attribute__((alias("scanf")));
