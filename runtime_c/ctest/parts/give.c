/* Hands an input over. */
static void klabel_give(const char *name, const void *value, size_t size)
{
    if (klabel_given_count < 4096) {
        klabel_given[klabel_given_count].name = name;
        klabel_given[klabel_given_count].value = value;
        klabel_given[klabel_given_count].size = size;
        klabel_given_count++;
    }
}
