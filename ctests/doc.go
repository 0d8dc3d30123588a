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
// that covers, it covers. Limits: a union or a structure whose bytes no
// member names is copied from bytes, and addresses are checked for NULL alone.
//
// docs/c-tests.md is for who uses them. The files in a folder: test_F.c with the tests of the function F, run_tests.c,
// Makefile, CMakeLists.txt and meson.build, and, where the source includes them,
// klee/klee.h and harness_macros.h. run_tests.c includes the source file, before
// anything else, so that static functions and private types are in reach and the
// source sees what it sees in its own build; defining KLABEL_SOURCE puts another
// file (one with labels) in its place. Linked tests (link.go) include what the source
// includes, and are linked with its object. For a framework in C++ the tests stay C, and
// run_tests.cpp names them. Names say what is special about a test's inputs
// (test_parse_null_text), and do not change from one writing to the next as long
// as the tests are the same. What of this C does not depend on the tests stands in
// runtime_c/ctest/parts.
package ctests
