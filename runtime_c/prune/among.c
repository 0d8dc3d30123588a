/* Whether strchr finds a character in a text that stands there as a literal, without a
 * branch on the character: its end counts, as it does for strchr.
 */
static int klabel_among(const char *of, int wanted)
{
    int found = 0;

    do
        found |= *of == (char)wanted;
    while (*of++);
    return found;
}
