// Package drivers writes entries into C: functions that build symbolic inputs
// and call a function of the program.
//
// It exists so that plain C, with no main function and nothing written by
// hand, can be given to a symbolic execution engine. ForUnit looks at a parsed
// unit and returns the C to append to it: what all entries share, once, and an
// entry for each function and variant that is wanted, with a description of its
// inputs for those who turn tests back into readable C (package input). Generate
// is a unit with one entry and a main.
//
// It promises entries that are cheap to explore: a structure or array without
// pointers is one symbolic object; a pointer costs one fork, NULL or not;
// lengths, ranges and enumeration items are assumptions without side effects
// and without short circuits. The objects of a test carry readable names: "x",
// "p" for the choice of a pointer, "*p" or "p[]" for what it points to,
// "s->next" below that. An entry sees the unit's static functions and types,
// is never labelled, and says everything that it leaves out (Entry.Narrowed):
// in doubt it is narrowed. How many items there are is read off the code that
// indexes; a name is asked last. A pointer
// that code holds against another one as its end leads into what that one leads to.
//
// Limits: values that cannot be built from their type are left out and said:
// incomplete types that the unit takes for no other by a cast, complex numbers (a
// *TypeError that names the parameter and the type). Allocations fail in the variant Failing alone,
// one of the first eight, and only where the program has no such functions of its
// own. The analyses of lengths and of untyped pointers follow names, not values.
package drivers
