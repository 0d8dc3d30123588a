/* CppUTest. */
#include <CppUTest/CommandLineTestRunner.h>
#include <CppUTest/TestHarness.h>
