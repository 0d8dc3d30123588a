/* An assumption that had to be evaluated with short circuits. */
__attribute__((nodebug)) static void klabel_require(int holds)
{
    if (klee_is_replay())
        klee_assume(holds);
    else if (!holds)
        klee_silent_exit(0);
}
