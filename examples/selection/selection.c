/* Selection sort: the smallest of what is left goes to the front. */

void selection(int *t, int n)
{
    int i;
    int j;
    int least;
    int kept;

    for (i = 0; i < n - 1; i = i + 1) {
        least = i;
        for (j = i + 1; j < n; j = j + 1) {
            if (t[j] < t[least]) {
                least = j;
            }
        }
        if (least != i) {
            kept = t[i];
            t[i] = t[least];
            t[least] = kept;
        }
    }
}
