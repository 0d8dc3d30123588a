/* What a test says where it need not say anything. Engines' tests do not, and this is
 * theirs; a replay has its own. */
__attribute__((nodebug, weak)) unsigned klabel_told(const char *name)
{
    (void)name;
    return 0;
}
