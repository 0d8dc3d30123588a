/* The class of a character as glibc's ctype.h reads it, without a branch, so that
 * the path of a driver stays one. Of ASCII, of which no locale says otherwise, it is
 * what the engine's own table has; of other characters, what the driver says.
 */
static unsigned short klabel_class(long long c, unsigned short other)
{
    unsigned short known = (unsigned short)-((c & ~127LL) == 0);

    return (unsigned short)(((*__ctype_b_loc())[c & 127] & known) | (other & ~known));
}
