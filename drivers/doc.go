// Package drivers writes a driver (test harness) for a C function from its
// signature: C that builds symbolic arguments and calls the function.
//
// It exists so that plain C, with no main function and nothing written by
// hand, can be given to a symbolic execution engine. Generate looks at a parsed
// unit and returns the C to append to it, a description of the inputs for those
// who turn tests back into readable C (package input), and warnings.
//
// It promises a driver that is cheap to explore: a structure or array without
// pointers is one symbolic object; a pointer costs one fork, NULL or not;
// lengths, ranges and enumeration items are assumptions without side effects
// and without short circuits. The objects of a test carry readable names: "x",
// "p" for the choice of a pointer, "*p" or "p[]" for what it points to,
// "s->next" below that. The driver sees the unit's static functions and types,
// and is never labelled.
//
// It stops at values that cannot be built from their type: incomplete types,
// FILE, va_list, complex numbers. These are a *TypeError that names the
// parameter and the type.
package drivers
