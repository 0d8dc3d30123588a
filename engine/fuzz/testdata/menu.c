/* A menu that asks again for ever where its input ends, or holds no number. */
#include <stdio.h>

void klabel_fuzz_label(int id, unsigned distance);
#define LABEL(id, holds) klabel_fuzz_label(id, (holds) ? 0 : 64)

int main(void)
{
    int choice = -1, sum = 0, n, c;

    while (choice != 0) {
        scanf("%d", &choice);
        if (choice == 1 && scanf("%d", &n) == 1)
            sum += n;
        else if (choice == 2)
            LABEL(1, sum > 100);
        else if (choice == 3)
            sum = -sum;
    }
    LABEL(2, sum < 0);
    do
        c = getchar();
    while (c != 'q');
    LABEL(3, sum == 7);
    return 0;
}
