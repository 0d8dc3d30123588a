// Package toolchain finds the programs that klabel works with (clang, KLEE,
// Frama-C, solvers) and runs them. It is the one room of klabel that starts
// processes.
//
// It exists because starting a process well takes care: a symbolic execution
// engine forks solvers that outlive it, a test under replay may hang, and a
// user presses Ctrl-C at any time. Every process started here
//
//   - is in a process group of its own, so that its children can be ended with
//     it and a terminal's Ctrl-C reaches klabel alone;
//   - dies with klabel (parent-death signal; with Command.Guard its children
//     do too, even when klabel is killed with SIGKILL);
//   - is stopped gently first and with SIGKILL to the whole group after a
//     grace period, on Stop, at its time limit, or when the context ends;
//   - has ended, with all of its group, when Wait returns;
//   - leaves a bounded tail of its output, and on failure a *ToolError with
//     argv, exit code, the end of stderr and a hint.
//
// The tools themselves are probed once, by Probe, into a Tools value that
// nobody changes afterwards. A tool that is needed and absent is reported as a
// *MissingError, which matches ErrMissing.
//
// What runs code that nobody has looked at is confined: see Confinement.
//
// Limits: processes that leave their group on purpose (setsid) are followed only where they are
// confined and alone. It works on Linux.
package toolchain
