/* A two-dimensional table, bilinear. */
#include <klee/klee.h>
#define N 5
static const double ax[N] = {0, 10, 25, 50, 100}, ay[N] = {500, 1000, 2000, 4000, 6000};
static const double v[N][N] = {{1, 2, 3, 4, 5}, {2, 4, 6, 8, 9}, {3, 5, 8, 12, 14}, {4, 7, 11, 15, 18}, {5, 8, 12, 17, 20}};
int find(const double *a, double x)
{
    int lo = 0, hi = N - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (x < a[mid])
            hi = mid;
        else
            lo = mid;
    }
    return lo;
}
double lookup(double x, double y)
{
    int i, j;
    double fx, fy, a, b;
    if (x < ax[0])
        x = ax[0];
    if (x > ax[N - 1])
        x = ax[N - 1];
    if (y < ay[0])
        y = ay[0];
    if (y > ay[N - 1])
        y = ay[N - 1];
    i = find(ax, x);
    j = find(ay, y);
    fx = (x - ax[i]) / (ax[i + 1] - ax[i]);
    fy = (y - ay[j]) / (ay[j + 1] - ay[j]);
    a = v[i][j] + fx * (v[i + 1][j] - v[i][j]);
    b = v[i][j + 1] + fx * (v[i + 1][j + 1] - v[i][j + 1]);
    return a + fy * (b - a);
}
int main(void)
{
    double load, rpm, q;
    klee_make_symbolic(&load, sizeof load, "load");
    klee_make_symbolic(&rpm, sizeof rpm, "rpm");
    if (load != load || rpm != rpm)
        return 1;
    q = lookup(load, rpm);
    if (q > 19.5 && rpm < 5900)
        return 2;
    if (q > 7.5 && q < 7.6 && load < 30)
        return 3;
    if (q < 1 || q > 20)
        return 4;
    return q == 15 && load < 50;
}
