/* Labels in every place where a statement or an expression can stand. */
#ifndef cov_label
#define cov_label(...) do { } while (0)
#endif
#define pc_label(...) /* no guard, and nothing left of it */
#define AND(a, b, id) cov_label((a) && (b), id, "MCC")

int printf(const char *, ...);
static int twice(int x) { return 2 * x; }
static int table[4] = { 1, 2, 3, 4 };
static volatile int device;

static int f(int x, int y, const int *p)
{
    int i, z = 0;

    cov_label(x > 0 && y > 0, 1, "CC");
    cov_label((x < 0 || !y) != (x < 0 && !y), 2, "WM COR");
    cov_label(p && p[0] == x, 3, "CC");
    cov_label(x / y > 1, 4);
    cov_label(twice(x) > y, 5, "CC");
    cov_label(table[2] == x && table[x & 3] == y, 6, "CC");
    cov_label(device, 7, "CC");
    cov_label(table[3] == x || (x && y), 8);
    pc_label(x, 9, "CC");
    AND(x, y, 10);
    if (x)
        cov_label(y, 11, "CC");
    else
        cov_label(!y, 12, "CC");
    for (i = 0, cov_label(i < x, 13, "CC"); i < x && i < 5; i++)
        cov_label(i == y, 14, "CC");
    while (({ cov_label(z < 3, 15, "DC"); cov_label(!(z < 3), 16, "DC"); }), z < 3)
        z++;
    switch (y) {
    case 1:
        cov_label(1, 17, "DC");
        break;
    default: cov_label(x == (y ? 1 : 2), 18, "DC");
    }
    cov_label(({ int t = x; t += y; t > 3; }), 19, "CC");
    cov_label(
        x == 3 &&
        y == 4,
        20, "CC");
    z += (cov_label(z, 21, "CC"), z);
    cov_label(p, 22); cov_label(1.5 * x > y, 23); cov_label(x ? y : z, 24); cov_label(!(x && y) || x << 3 == y, 25);
    cov_label((x || y), 26);
    return z;
}

int main(int argc, char *argv[])
{
    int i;

    for (i = -2; i < 4; i++)
        printf("%d %d\n", i, f(i, argc, i ? &i : 0));
    return argv[0] ? 7 : 8;
}
