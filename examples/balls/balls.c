/* One of four balls weighs more than the others, or none does.
   Two weighings on a balance find it: 1 to 4, or 0 for none.
   Weights that fit neither case give -1. */

int balls(int a, int b, int c, int d)
{
    int left;
    int right;
    int heavy = 0;

    left = a + b;
    right = c + d;
    if (left == right) {
        if (a != b || c != d) {
            heavy = -1;
        }
        return heavy;
    }
    if (left > right) {
        if (c != d || a == b) {
            return -1;
        }
        if (a > b) {
            heavy = 1;
        } else {
            heavy = 2;
        }
        return heavy;
    }
    if (a != b || c == d) {
        return -1;
    }
    if (c > d) {
        heavy = 3;
    } else {
        heavy = 4;
    }
    return heavy;
}
