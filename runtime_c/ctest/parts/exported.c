/* What a framework in C++ calls: runs one test and returns 0 when it passes. */
int klabel_run(int i);

int klabel_run(int i)
{
    return klabel_run_alone(i);
}
