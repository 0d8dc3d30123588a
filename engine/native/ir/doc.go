// Package ir reads LLVM's textual IR, as clang 14 to 19 write it, into the few
// structures that the native engine executes.
//
// Why an own reader. github.com/llir/llvm v0.3.6 stops at typed pointers, so
// it reads nothing that clang 15 or later writes by default, and it builds a
// full object model of metadata that costs more time than the run of a small
// program. LLVM's C API needs cgo and ties the binary to one LLVM version,
// which is the very thing the native engine is there to avoid. The textual
// form, on the other hand, is close to stable over these versions for what C
// front ends emit, and a reader that skips what it does not need (attributes,
// debug records, summaries) takes both pointer styles in the same code.
//
// What it promises: Parse never panics, whatever the bytes; an error names file
// and line. Bodies of functions and metadata are read on demand, so that
// linking a C library costs next to nothing for what is not called. Typed
// pointers are read as opaque ones: every instruction that needs the type of a
// pointee states it anyway.
//
// Limits: C++ exception handling, scalable vectors, coroutines and
// target extension types are refused where they are met, by the body that
// holds them. Only the layouts of x86-64 and i386 are accepted.
package ir
