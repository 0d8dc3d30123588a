// Package smt asks other solvers, z3 or cvc5, in SMT-LIB.
//
// It exists so that tests and benchmarks can hold the native engine's solver against
// something independent. It promises that each question says the same as the
// expressions, and that no process is left when a Pipe is closed.
//
// Limits: no run of klabel asks another solver. long double and fmod have no
// counterpart in SMT-LIB.
package smt

// Result is an answer.
type Result int8

// The answers.
const (
	Unknown Result = iota
	Sat
	Unsat
)

// String names the answer as SMT-LIB does.
func (r Result) String() string { return [...]string{"unknown", "sat", "unsat"}[r] }
