/* What the tests of this package need of the Unity framework, so that the
   files written for it can be compiled and run where it is not installed. */
#ifndef UNITY_H
#define UNITY_H

#include <stdio.h>

static int unity_failures;

#define UNITY_BEGIN() ((void)0)
#define UNITY_END() (unity_failures)
#define RUN_TEST(test) test()
#define TEST_ASSERT_TRUE(c) \
    do { if (!(c)) { printf("%s:%d: %s\n", __FILE__, __LINE__, #c); unity_failures++; } } while (0)
#define TEST_ASSERT_EQUAL_INT(e, a) TEST_ASSERT_TRUE((e) == (a))

#endif
