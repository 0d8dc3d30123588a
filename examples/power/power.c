/* Integer power by repeated squaring. */

unsigned power(unsigned x, int n)
{
    unsigned result = 1;
    unsigned square = x;
    int left = n;

    while (left >= 1) {
        if (left % 2 != 0) {
            left = left - 1;
            result = result * square;
        }
        square = square * square;
        left = left / 2;
    }
    return result;
}
