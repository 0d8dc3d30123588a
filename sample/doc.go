// Package sample draws the first tests of an entry: random numbers and boundaries, texts
// composed of what the program compares with, long ones, conversations with a menu and
// answers that leave it.
//
// It exists because easy labels cost a replay each this way, and a solver's questions
// otherwise; what it leaves open is the engines'. It promises tests that depend on the seed
// and on what it is told of replays alone; it starts nothing and judges nothing. Limits: it
// knows inputs by name, size, range and which bytes are numbers with a fraction, not what they
// mean to the program; constants are read from the text, not from the syntax tree.
package sample
