// Package linkage says what several units of C are to each other as one program: what each
// defines, which functions may call which, which units can be linked together, and what
// main asks its environment for.
//
// It exists because a campaign asks this of a program before it writes or compiles
// anything. It promises that what may be called is among what it says: names in bodies and
// in initialisers are followed, whatever is done with them. Limits: what is reached through
// a number, a library, or code that is not there is not seen; what main asks for is guessed
// from names, and decides only what a program is given to begin with.
package linkage
