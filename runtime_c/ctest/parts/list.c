/* One test of the plain runner's list. */
struct klabel_test {
    const char *name;
    void (*run)(void);
};
