// Package ctests writes tests as C that a person reads, runs and keeps, and
// measures tests that persons wrote.
//
// It exists because a .ktest file is bytes: nobody reviews it, and only klabel
// can replay it. Here each test becomes a C function that builds the inputs as
// one would by hand, calls the function under test and checks what was
// observed; a runner brings them together under the user's test framework.
//
// It promises that the written files compile with any C11 compiler, without
// klabel, and that a test, run, gives the program the inputs of its .ktest: what
// that covers, it covers. It stops at values that C cannot show: a union or a
// structure whose bytes no member names is copied from bytes, and addresses
// are checked for NULL alone.
//
// The files in the folder: one test_NNNNNN.c a test, run_tests.c, and, where the
// source includes them, klee/klee.h and harness_macros.h. run_tests.c includes
// the source file, so that static functions and private types are in reach;
// defining KLABEL_SOURCE puts another file (one with labels) in its place.
package ctests
