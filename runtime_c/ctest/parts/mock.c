/* Calls of mocks: what is left of those that a test expects, in order. */
static const char *const *klabel_expected;
static int klabel_expected_left;
static int klabel_wrong_calls;

static void klabel_expect(const char *const *calls, int count)
{
    klabel_expected = calls;
    klabel_expected_left = count;
    klabel_wrong_calls = 0;
}

static void klabel_called(const char *format, ...)
{
    char call[4096]; /* numbers and names alone come in */
    va_list arguments;

    va_start(arguments, format);
    vsprintf(call, format, arguments);
    va_end(arguments);
    if (klabel_expected_left > 0 && strcmp(call, *klabel_expected) == 0) {
        klabel_expected++;
        klabel_expected_left--;
        return;
    }
    printf("called: %s\n  want: %s\n", call, klabel_expected_left > 0 ? *klabel_expected : "no further call");
    klabel_wrong_calls++;
}

/* Whether all calls came, and no others. */
static int klabel_calls_as_expected(void)
{
    if (klabel_wrong_calls == 0 && klabel_expected_left > 0) {
        printf("not called: %s\n", *klabel_expected);
        klabel_wrong_calls++;
    }
    return klabel_wrong_calls == 0;
}
