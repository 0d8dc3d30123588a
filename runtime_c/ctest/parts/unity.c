/* Gives the tests to Unity. */
void setUp(void)
{
}

void tearDown(void)
{
}

int main(void)
{
    UNITY_BEGIN();
    klabel_run_tests();
    return UNITY_END();
}
