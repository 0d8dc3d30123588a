// Package expr holds the expressions of the native engine, on bit-vectors and on
// floating-point numbers (package ieee) as their bits: immutable,
// hash-consed nodes of width 1 to 128, made by a Builder that simplifies while it
// builds, and the sets of constraints that a path collects.
//
// It exists so that 50,000 states can share what they compute, and so that most
// questions are answered by construction rather than by a solver: an int stored
// byte by byte and loaded back is the node it was before, a comparison with a
// constant is one node whatever the program wrote, and a byte that the path
// fixed is a constant in everything that follows.
//
// Promises: a node never changes; two nodes with the same pointer mean the same;
// a simplification keeps the value under every model (the fuzz target
// FuzzSimplify checks it against plain evaluation). Division and remainder by
// zero and shifts by the width or more mean what SMT-LIB says: x/0 is all ones
// (signed: 1 or -1), x%0 is x, an over-shift gives zeros (arithmetic: copies of
// the sign). An engine that wants an error there asks before it builds.
//
// Limits: a Builder and everything made from it belong to one goroutine. The
// same structure may have two nodes after the table was trimmed (see
// Builder.SetLimit): equal pointers prove equality, different ones prove nothing.
package expr
