/* ctype.h in the C locale, without branches: a branch on a symbolic character
   would split the path. */
#include "libc.h"

#define IN(c, from, to) ((unsigned)(c) - (from) <= (unsigned)(to) - (from))
#define UPPER(c) IN(c, 'A', 'Z')
#define LOWER(c) IN(c, 'a', 'z')
#define ALPHA(c) (UPPER(c) | LOWER(c))
#define DIGIT(c) IN(c, '0', '9')
#define XDIGIT(c) (DIGIT(c) | IN(c, 'a', 'f') | IN(c, 'A', 'F'))
#define SPACE(c) (((c) == ' ') | IN(c, '\t', '\r'))
#define PRINT(c) IN(c, ' ', '~')
#define GRAPH(c) IN(c, '!', '~')
#define BLANK(c) (((c) == ' ') | ((c) == '\t'))
#define CNTRL(c) (IN(c, 0, 31) | ((c) == 127))
#define ALNUM(c) (ALPHA(c) | DIGIT(c))
#define PUNCT(c) (GRAPH(c) & !ALNUM(c))

int isupper(int c) { return UPPER(c); }
int islower(int c) { return LOWER(c); }
int isalpha(int c) { return ALPHA(c); }
int isdigit(int c) { return DIGIT(c); }
int isxdigit(int c) { return XDIGIT(c); }
int isspace(int c) { return SPACE(c); }
int isprint(int c) { return PRINT(c); }
int isgraph(int c) { return GRAPH(c); }
int isblank(int c) { return BLANK(c); }
int iscntrl(int c) { return CNTRL(c); }
int isalnum(int c) { return ALNUM(c); }
int ispunct(int c) { return PUNCT(c); }
int isascii(int c) { return (unsigned)c < 128; }
int toascii(int c) { return c & 127; }
int tolower(int c) { return c + 32 * UPPER(c); }
int toupper(int c) { return c - 32 * LOWER(c); }

/* The tables that glibc's macros read: from -128 to 255. */
#define CLASS(c)                                                                                                       \
    (unsigned short)(UPPER(c) << 8 | LOWER(c) << 9 | ALPHA(c) << 10 | DIGIT(c) << 11 | XDIGIT(c) << 12 |             \
                     SPACE(c) << 13 | PRINT(c) << 14 | GRAPH(c) << 15 | BLANK(c) | CNTRL(c) << 1 | PUNCT(c) << 2 |    \
                     ALNUM(c) << 3)
#define DOWN(c) ((c) + 32 * UPPER(c))
#define UP(c) ((c)-32 * LOWER(c))
#define SIGNED(c) ((c) < 0 ? (c) + 256 : (c))
#define DOWN2(c) DOWN(SIGNED(c))
#define UP2(c) UP(SIGNED(c))
#define R4(f, c) f(c), f((c) + 1), f((c) + 2), f((c) + 3)
#define R16(f, c) R4(f, c), R4(f, (c) + 4), R4(f, (c) + 8), R4(f, (c) + 12)
#define R64(f, c) R16(f, c), R16(f, (c) + 16), R16(f, (c) + 32), R16(f, (c) + 48)
#define R384(f) R64(f, -128), R64(f, -64), R64(f, 0), R64(f, 64), R64(f, 128), R64(f, 192)

static const unsigned short classes[384] = {R384(CLASS)};
static const int lowers[384] = {R384(DOWN2)};
static const int uppers[384] = {R384(UP2)};
static const unsigned short *classes_at = classes + 128;
static const int *lowers_at = lowers + 128;
static const int *uppers_at = uppers + 128;

const unsigned short **__ctype_b_loc(void) { return &classes_at; }
const int **__ctype_tolower_loc(void) { return &lowers_at; }
const int **__ctype_toupper_loc(void) { return &uppers_at; }
