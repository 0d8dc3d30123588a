/* The main function for witness.h. */
char **witness_inputs;

int witness_main(void);

int main(int argc, char **argv)
{
    (void)argc;
    witness_inputs = argv + 1;
    return witness_main();
}
