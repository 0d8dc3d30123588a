/* Looks a value up among the first n items of a table. */

int search(const int *table, int n, int value)
{
    int found = 0;
    int i = 0;

    while (!found && i < n) {
        if (table[i] == value) {
            found = 1;
        }
        i = i + 1;
    }
    return found;
}
