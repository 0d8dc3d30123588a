/* A program that uses the library's names for things of its own. */
static int covered;
struct pending { int nop; };

int nop(struct pending *main)
{
    cov_label(covered > 2, 1, "CC");
    pc_label_sequence(covered, 2, 1, 2, "covered", 0);
    pc_label_bindings(covered == 1, 3, "CACC", 1, 1, "c", covered);
    return main->nop + covered++;
}

int main(void)
{
    struct pending p = { 3 };
    while (covered < 4)
        nop(&p);
    return nop(&p);
}
