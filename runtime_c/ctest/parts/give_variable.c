/* Sets a variable of the environment, or sees to it that there is none. */
#if defined(__unix__) || defined(__APPLE__)
int setenv(const char *name, const char *value, int replace); /* strict C hides them */
int unsetenv(const char *name);

static void klabel_give_variable(const char *name, const char *value)
{
    if (value != NULL) {
        setenv(name, value, 1);
    } else {
        unsetenv(name);
    }
}
#endif
