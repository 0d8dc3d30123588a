/* Hard spots: nested loops whose counts decide. */
#include "klee/klee.h"

enum { ROWS = 6, COLUMNS = 6 };

static int islands(unsigned char grid[ROWS][COLUMNS])
{
    int full = 0, diagonal = 0, best = 0;

    for (int r = 0; r < ROWS; r++) {
        int run = 0;

        for (int c = 0; c < COLUMNS; c++) {
            if (grid[r][c] > 200) {
                run++;
                full++;
                if (r == c)
                    diagonal++;
            } else {
                run = 0;
            }
            if (run > best)
                best = run;
        }
    }
    if (full == 30 && best < 6)
        return 1;
    if (diagonal == 6 && full == 6)
        return 2;
    if (best == 5 && full > 12 && diagonal == 0)
        return 3;
    if (full > 34 || (best == 0 && grid[0][0] == 200 && grid[5][5] == 200))
        return 4;
    return 0;
}

static int collatz(unsigned x, unsigned *most)
{
    int steps = 0;

    *most = x;
    while (x > 1 && steps < 150) {
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        if (x > *most)
            *most = x;
        steps++;
    }
    return steps;
}

int main(void)
{
    unsigned char grid[ROWS][COLUMNS];
    unsigned most, x = (unsigned)klee_range(1, 5000, "x");
    int steps;

    klee_make_symbolic(grid, sizeof grid, "grid");
    if (islands(grid) > 0)
        return 1;
    steps = collatz(x, &most);
    if (steps > 110 && most < 10000)
        return 2;
    if (steps == 97 || most > 100000)
        return 3;
    return 0;
}
