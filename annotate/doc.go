// Package annotate puts labels into C programs: one for each thing that a
// coverage criterion wants to see happen.
//
// It exists so that a criterion is a table entry and a small type that looks at
// one function (see table.go and the files named after the criteria); where
// labels may stand, and in which form, is decided here once for all of them.
//
// It promises that the labelled program behaves as the program does: a label
// stands where its decision or operation is evaluated and is judged each time;
// nothing with side effects is evaluated twice; short circuits are kept; and a
// predicate evaluates nothing that could fail where the program itself would
// not have evaluated it. What one place alone cannot say (where a value was set, how
// often a loop ran) variables of klabel's own remember. Everything is inserted, nothing replaced: taking the
// insertions out gives the preprocessed text byte for byte.
//
// Limits: where C gives no room there are no labels: static initialisers, array
// bounds, case constants, operands of sizeof, _Generic, asm, arguments of compiler
// builtins, conditions that call setjmp, functions of system headers. Predicates
// see atoms, not what infeasible combinations they form: only what the compiler's
// front end folds is marked infeasible here.
package annotate
