/* What the tests of this package need of the Unity framework, so that the
   files written for it can be compiled and run where it is not installed. */
#ifndef UNITY_H
#define UNITY_H

#include <setjmp.h>
#include <stdio.h>

static struct {
    jmp_buf AbortFrame;
    int CurrentTestFailed;
    int TestFailures;
} Unity;

void setUp(void);
void tearDown(void);

static void unity_run(void (*test)(void), const char *name)
{
    Unity.CurrentTestFailed = 0;
    if (setjmp(Unity.AbortFrame) == 0) {
        setUp();
        test();
    }
    if (setjmp(Unity.AbortFrame) == 0) {
        tearDown();
    }
    printf("%s:%s\n", name, Unity.CurrentTestFailed ? "FAIL" : "PASS");
    Unity.TestFailures += Unity.CurrentTestFailed;
}

#define UNITY_BEGIN() ((void)0)
#define UNITY_END() (Unity.TestFailures)
#define RUN_TEST(test) unity_run(test, #test)
#define TEST_ABORT() longjmp(Unity.AbortFrame, 1)
#define TEST_FAIL_MESSAGE(message) \
    do { printf("%s:%d: %s\n", __FILE__, __LINE__, message); Unity.CurrentTestFailed = 1; TEST_ABORT(); } while (0)
#define TEST_ASSERT_TRUE(c) do { if (!(c)) TEST_FAIL_MESSAGE(#c); } while (0)
#define TEST_ASSERT_EQUAL_INT(e, a) TEST_ASSERT_TRUE((e) == (a))

#endif
