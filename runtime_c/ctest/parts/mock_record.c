/* Prints the calls of mocks, for a test to expect them. */
static void klabel_called(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    printf("called ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}
