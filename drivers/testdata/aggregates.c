/* Structures, unions and arrays. */
#include <stdbool.h>

#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif

struct point { int x; int y; };
struct rectangle { struct point from; struct point to; char name[4]; };
enum shade { DARK, LIGHT };

/* driver: */
int by_value(struct point p)
{
    cov_label(p.x == p.y + 1, 1, "CC");
    return p.x;
}

/* driver: */
int by_pointer(const struct point *p)
{
    if (p == 0) {
        cov_label(1, 2, "STMT");
        return -1;
    }
    cov_label(p->x > 100 && p->y < -100, 3, "CC");
    return 0;
}

/* driver: */
int nested(struct rectangle r)
{
    cov_label(r.from.x == 1 && r.to.y == 2 && r.name[3] == 'z', 4, "CC");
    return 0;
}

struct flags { unsigned a : 3; int b : 5; unsigned : 4; unsigned c : 12; bool d : 1; int rest; };

/* driver: infeasible 6 */
int bit_fields(struct flags f)
{
    cov_label(f.a == 7 && f.b == -16 && f.c == 4095 && f.d && f.rest == 9, 5, "CC");
    cov_label(f.a > 7, 6, "CC");
    return 0;
}

struct mixed { bool on; enum shade shade; unsigned char count; };

/* driver: infeasible 8 */
int inner_limits(struct mixed m)
{
    cov_label(m.on && m.shade == LIGHT && m.count == 200, 7, "CC");
    cov_label(m.shade > LIGHT, 8, "CC");
    return m.on;
}

union word { unsigned all; unsigned char part[4]; };

/* driver: */
int unions(union word w)
{
    cov_label(w.part[0] == 1 && w.all > 0x80000000u, 9, "CC");
    return 0;
}

struct tagged { int kind; union { int number; const char *text; } u; };

/* driver: */
int union_with_pointer(const struct tagged *t)
{
    if (t == 0 || t->kind != 1 || t->u.text == 0) {
        return 0;
    }
    cov_label(t->kind == 1, 10, "CC");
    return 1;
}

struct unnamed { int kind; union { int number; float ratio; }; struct { short a; short b; }; };

/* driver: */
int anonymous_members(struct unnamed u)
{
    cov_label(u.kind == 3 && u.number == 5 && u.b == -1, 11, "CC");
    return 0;
}

/* driver: */
int fixed_array(int t[5])
{
    cov_label(t[0] == 1 && t[4] == 2, 12, "CC");
    return 0;
}

/* driver: */
int at_least(int t[static 3])
{
    cov_label(t[2] == 7, 13, "CC");
    return 0;
}

/* driver: */
int matrix(int m[2][3])
{
    cov_label(m[1][2] == 4 && m[0][0] == -4, 14, "CC");
    return 0;
}

typedef char line[6];

/* driver: */
int named_array(line l)
{
    cov_label(l[0] == 'o' && l[5] == 'k', 15, "CC");
    return 0;
}

/* driver: --nonnull p */
int array_of_structs(struct point *p)
{
    cov_label(p[1].x == 5 && p[3].y == 6, 16, "CC");
    return 0;
}

struct packed { char tag; int value; } __attribute__((packed));

/* driver: */
int packed_struct(struct packed p)
{
    cov_label(p.tag == 'p' && p.value == 77, 18, "CC");
    return 0;
}

struct limits { double low; double high; int n; };

/* driver: */
int floats_inside(const struct limits *l)
{
    if (l == 0) {
        return 0;
    }
    cov_label(l->low < 0.5 && l->high > 0.5 && l->n == 3, 19, "CC");
    return 1;
}

struct constant { const int id; const char *const name; };

/* driver: */
int constant_fields(struct constant c)
{
    if (c.name == 0) {
        return 0;
    }
    cov_label(c.id == 8 && c.name[0] == 'c', 20, "CC");
    return 1;
}
