package exec

import (
	"fmt"

	"klabel/engine/native/expr"
)

// role is what a state is run for: a path of the exploration, a predicate
// evaluated on the side, a run with given values. What happens to the state is
// the same for all; what follows from it is not.
type role interface {
	// failed: the program errs here.
	failed(ex *Engine, st *State, e programError)
	// ended: the program ends normally, silently by klee_silent_exit.
	ended(ex *Engine, st *State, silently bool)
	// gaveUp: the engine cannot go on; nothing is known of what follows.
	gaveUp(ex *Engine, st *State, why string)
	// rejected: the program does not want these inputs.
	rejected(ex *Engine, st *State)
	// left: the function of depth d is left.
	left(ex *Engine, st *State, d int)
	// lost: a part of what may follow is not explored; the state goes on.
	lost(ex *Engine, st *State, why string)
	// mayFork asks before a fork, forked is told of it.
	mayFork(ex *Engine, st *State) bool
	forked(ex *Engine, st, child *State)
	assumed(ex *Engine, st *State, cond *expr.Expr)
	// wants and label are klabel_wants and klabel_label; see greybox.go.
	wants(ex *Engine, st *State, id uint32, c *callContext)
	label(ex *Engine, st *State, id uint32, v Value)
	// bytes are the values of an input, nil where it is symbolic.
	bytes(v *expr.Var) []byte
	// explores: what the state meets counts as seen.
	explores() bool
}

// programError is an error of the program, in KLEE's terms.
// The reason, if there is one, is in info too.
type programError struct{ msg, suffix, info, reason string }

// errorAt ends a state with an error of the program. What the engine cannot do
// is no such thing: see giveUp.
func (ex *Engine) errorAt(st *State, msg, suffix, info string) {
	if !st.done {
		st.role.failed(ex, st, programError{msg, suffix, info, ""})
	}
}

// exit ends a state normally, silentExit without a test.
func (ex *Engine) exit(st *State) { ex.end(st, false) }

func (ex *Engine) silentExit(st *State) { ex.end(st, true) }

// reject ends a state whose inputs the program does not want.
func (ex *Engine) reject(st *State) {
	if !st.done {
		st.role.rejected(ex, st)
	}
}

// giveUp ends a state because of a limit of the engine's own. The exploration is
// incomplete.
func (ex *Engine) giveUp(st *State, format string, args ...any) {
	if !st.done {
		st.role.gaveUp(ex, st, fmt.Sprintf(format, args...))
	}
}

// unsupported ends a state at something that the engine has no meaning for.
func (ex *Engine) unsupported(st *State, what string) {
	ex.giveUp(st, "not supported: %s", what)
}

// noAnswer ends a state for want of an answer of the solver.
func (ex *Engine) noAnswer(st *State) {
	ex.stats.TimedOut++
	ex.giveUp(st, "%s", tooLong)
}

const tooLong = "a solver query took too long"

// lost notes that something of the state's future will not be explored.
func (ex *Engine) lost(st *State, why string) { st.role.lost(ex, st, why) }

// path is a path of the exploration.
type path struct{}

func (p path) failed(ex *Engine, st *State, e programError) {
	if st.assumed != "" {
		p.gaveUp(ex, st, fmt.Sprintf("%s behind a %s", e.msg, st.assumed))
		return
	}
	st.done = true
	ex.stats.Completed++
	if ex.o.Failing { // whether the error was met before or not
		ex.failingLabels(st)
	} else {
		ex.errorLabels(st, e)
	}
	key := ex.keyOf(st, e.msg)
	if ex.o.Failing { // a call of the C library may go wrong in several ways
		key.msg += e.reason
	}
	if ex.emitted[key] && !ex.o.EmitAllErrors {
		ex.died(st)
		return
	}
	text, at := ex.report(st, e.msg, e.info)
	if at.file != "" {
		ex.sink.Message(fmt.Sprintf("ERROR: %s:%d: %s", at.file, at.src, e.msg))
	} else {
		ex.sink.Message("ERROR: (location information missing) " + e.msg)
	}
	if !ex.o.EmitAllErrors && !ex.emitted[key] {
		ex.sink.Message("NOTE: now ignoring this error at this location")
	}
	ex.emitted[key] = true
	ex.writeTest(st, e.suffix, text)
	if ex.o.ExitOnError {
		ex.stop("an error was found")
	}
}

func (path) ended(ex *Engine, st *State, silently bool) {
	ex.deferredLabels(st)
	st.done = true
	ex.lived(st)
	ex.stats.Completed++
	if !silently && (st.coversNew || !ex.o.OnlyNew) {
		ex.writeTest(st, "", "")
	}
}

// gaveUp writes a test, one a place: the native run goes on where the engine
// stops.
func (path) gaveUp(ex *Engine, st *State, why string) {
	st.done = true
	ex.lived(st)
	ex.stats.Partial++
	ex.partly(st, why)
	ex.warnOnce("a path is given up: " + why)
	ex.hopes(st)
	ex.earlyTest(st, why)
}

// earlyTest writes a test of a path that may natively go on otherwise from here.
func (ex *Engine) earlyTest(st *State, why string) {
	key := ex.keyOf(st, why)
	if ex.emitted[key] || ex.ctx.Err() != nil {
		return
	}
	ex.emitted[key] = true
	text, _ := ex.report(st, why, "")
	ex.writeTest(st, "early", text)
}

func (path) rejected(ex *Engine, st *State) {
	if ex.o.Failing {
		ex.notInfeasible(st, "met where the program does not want the inputs")
	}
	st.done = true
	ex.stats.Completed++
}

func (path) left(*Engine, *State, int) {}

func (path) lost(ex *Engine, st *State, why string) { ex.partly(st, why) }

func (path) mayFork(ex *Engine, st *State) bool {
	switch {
	case ex.o.MaxDepth > 0 && st.depth >= ex.o.MaxDepth:
		ex.partly(st, fmt.Sprintf("depth limit of %d reached", ex.o.MaxDepth))
		ex.warnOnce("skipping fork (max-depth reached)")
	case ex.o.MaxForks > 0 && ex.stats.Forks >= uint64(ex.o.MaxForks):
		ex.partly(st, fmt.Sprintf("fork limit of %d reached", ex.o.MaxForks))
		ex.warnOnce("skipping fork (max-forks reached)")
	default:
		return true
	}
	return false
}

func (path) forked(ex *Engine, st, child *State) {
	ex.stats.Forks++
	ex.growTree(st, child)
	ex.added = append(ex.added, child)
}

func (path) assumed(*Engine, *State, *expr.Expr) {}

func (path) bytes(*expr.Var) []byte { return nil }

func (path) explores() bool { return true }

func (path) wants(ex *Engine, st *State, id uint32, c *callContext) { ex.ask(st, id, c) }

// label is not met on a path: the predicates are evaluated on the side.
func (path) label(*Engine, *State, uint32, Value) {}
