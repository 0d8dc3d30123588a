/* Gives the tests to CMocka. */
int main(void)
{
    return cmocka_run_group_tests(klabel_tests, NULL, klabel_end);
}
