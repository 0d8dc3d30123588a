// Package objective knows what a criterion asks beyond single labels: that two
// labels be covered that belong together, or one of several such pairs.
//
// It exists because MC/DC and its relatives cannot be said with one label: that
// a condition decides an outcome by itself is shown by two evaluations, of which
// each is a label. It promises the language of the field for that (hyperlabels:
// `l1.l2` both, `l1+l2` one of them, sequences `s1` and `l1->l2`, guards over bound
// values `<l1.l2|;a!=b && a<9;>`), its files, which labels an objective still needs, and
// that an objective is called infeasible only if no combination of labels that are
// not infeasible makes it true.
//
// Limits: an expression is judged over labels alone. Lower makes it one: for each
// sequence, and each choice of values that a guard asks about, the program has a
// label, which package annotate puts there. Bound values are truth values, as in
// LTest's replay, or integers: of different runs those that guards name and small ones
// are told apart, of one run all.
package objective
