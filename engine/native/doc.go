// Package native is klabel's own symbolic execution engine, seen from outside:
// an engine.Engine that starts the hidden subcommand native-engine of the same
// binary, and Main, which is that subcommand.
//
// It exists so that klabel needs nothing but clang, and so that a label can be
// asked of the solver where it stands (mode greybox). It keeps KLEE's contract:
// the same kind of output directory, the same suffixes and first lines, gentle
// stops on INT and TERM, the live view.
//
// Reading a program costs more than exploring one of its small functions. So a
// process reads an image once, and then serves slices of it: explorations with
// an entry, limits and an output directory of their own, each with the result
// that a run of its own would have. Engine keeps such processes until Close.
//
// The parts: ir reads LLVM's text, code turns it into register-machine code,
// memory is a state's address space, expr and solver are the logic, exec
// explores; ieee is what the processor makes of floating-point numbers. Data goes
// one way; only exec knows them all.
//
// Limits: one goroutine explores; x86-64 and i386 only; no threads, no C++ exceptions.
// Floating-point numbers round to nearest only; sin, exp and what else has no exact
// result is computed by samples, which is incompleteness. A function without code
// returns 0 and changes nothing, and nothing is claimed of what lies behind it.
package native
