// Package native is klabel's own symbolic execution engine, seen from outside:
// an engine.Engine that starts the hidden subcommand native-engine of the same
// binary, and Main, which is that subcommand.
//
// It exists so that klabel needs nothing but clang, and so that a label can be
// asked of the solver where it stands (mode greybox). It keeps KLEE's contract:
// the same kind of output directory, the same suffixes and first lines, gentle
// stops on INT and TERM, the live view.
//
// The parts: ir reads LLVM's text, code turns it into register-machine code,
// memory is a state's address space, expr and solver are the logic, exec
// explores. Data goes one way; only exec knows them all.
//
// Where it stops: one goroutine explores, x86-64 only, no threads, no C++
// exceptions, floating-point numbers only concretely.
package native
