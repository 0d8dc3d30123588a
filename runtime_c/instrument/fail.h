/* A test: the assertion that a label is not covered fails. */
#define klabel_fail(id) __assert_fail("cov_label " #id, __FILE__, __LINE__, __func__)
