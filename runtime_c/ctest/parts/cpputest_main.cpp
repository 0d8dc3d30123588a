/* Runs the tests that were named to CppUTest. */
int main(int argc, char **argv)
{
    return CommandLineTestRunner::RunAllTests(argc, argv);
}
