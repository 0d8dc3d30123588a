// Command solver measures the native engine's solver on questions that real
// explorations asked.
//
//	go run ./bench/solver record -o questions program.ll...
//	go run ./bench/solver compare questions
//
// record explores each program (LLVM IR text; a work directory of "klabel run
// --engine native" has one) and writes every conjunction that reached the SAT
// core as an SMT-LIB file. compare gives each file to the own core, to gini and
// to the SMT solvers that are installed, and prints a table: CPU or wall time,
// questions answered within the limit, and disagreements, which are an error.
package main
