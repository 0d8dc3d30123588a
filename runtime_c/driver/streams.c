/* Which of the calls on streams to come fails. Where engines run the program none does; a
 * replay has its own.
 */
__attribute__((nodebug, weak)) void klabel_fail_on_streams(unsigned number)
{
    (void)number;
}
