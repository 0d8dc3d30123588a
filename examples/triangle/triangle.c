/* Says what kind of triangle three sides make. */

enum kind { NOT_A_TRIANGLE, SCALENE, ISOSCELES, EQUILATERAL };

enum kind triangle(int a, int b, int c)
{
    int same = 0;

    if (a <= 0 || b <= 0 || c <= 0) {
        return NOT_A_TRIANGLE;
    }
    if (a + b <= c || b + c <= a || a + c <= b) {
        return NOT_A_TRIANGLE;
    }
    if (a == b) {
        same = same + 1;
    }
    if (b == c) {
        same = same + 1;
    }
    if (a == c) {
        same = same + 1;
    }
    if (same >= 1 && same < 3) {
        return ISOSCELES;
    }
    if (same == 3) {
        return EQUILATERAL;
    }
    return SCALENE;
}
