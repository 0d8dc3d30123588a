package exec

import (
	"fmt"

	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
)

const maxConcrete = 20000000 // instructions of a concrete run

// concreteRun is the role of a run with given values. It notes the labels that
// they meet.
type concreteRun struct {
	model  *expr.Model
	given  map[string][]byte // in place of the model: the inputs of a test, by name
	why    string            // what is not certain of a run with given inputs
	hits   []uint32
	normal bool // it came to the program's normal end
	erred  bool // it ended in an error of the program
	short  bool // it did not end: the engine could not go on
	limit  uint64

	asked uint32 // the label whose predicate is being evaluated, 0 if none
	past  *State // of one that is known to fail: the state in which it does not hold
	again bool   // a predicate failed that was not known to
}

// concrete runs the program from its start with given values. nil means that it
// could not be started. Where a predicate fails, it does not hold: the run then
// begins anew, and keeps the state before that label's predicates from now on.
func (ex *Engine) concrete(anew func() *concreteRun) (*State, *concreteRun) {
	for {
		st, run := ex.concreteOnce(anew())
		if st == nil || !run.again {
			return st, run
		}
	}
}

// valued is a run with a model's values, of so many instructions at the most.
func valued(m *expr.Model, limit uint64) func() *concreteRun {
	return func() *concreteRun { return &concreteRun{model: m, limit: limit} }
}

// lengthLimit is for runs that shall not take much longer than a path of this length.
func lengthLimit(length uint64) uint64 { return min(maxConcrete, 100000+20*length) }

func (ex *Engine) concreteOnce(run *concreteRun) (*State, *concreteRun) {
	st, err := ex.initial(run)
	if err != nil {
		return nil, nil
	}
	saved := ex.added
	ex.added = nil
	defer func() {
		ex.added = saved
		ex.found, ex.cached = [cacheSize]*memory.Object{}, nil
	}()
	for !st.done {
		ex.stats.Instructions += ex.stepConcrete(st, run)
		if st.instrs > run.limit || ex.ctx.Err() != nil {
			run.short = true
			break
		}
	}
	return st, run
}

// stepConcrete runs for a while; leaving by endPath is fine.
func (ex *Engine) stepConcrete(st *State, run *concreteRun) (n uint64) {
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(endPath); !ok {
				ex.internal(fmt.Sprintf("in a concrete run: %v", e))
				st.done, run.normal = true, false
			}
		}
	}()
	return ex.interpret(st, 10000)
}

func (c *concreteRun) failed(ex *Engine, st *State, e programError) {
	switch {
	case c.asked == 0:
		st.done, c.erred = true, true
		c.doubt(e.msg)
	case c.past == nil:
		ex.grey.fails[c.asked] = true
		st.done, c.again = true, true
	default:
		past, instrs := c.past, st.instrs
		c.asked, c.past = 0, nil
		*st = *past
		st.instrs = instrs
		panic(endPath{}) // whoever runs it has the frames that are gone
	}
}

func (c *concreteRun) ended(ex *Engine, st *State, silently bool) { st.done, c.normal = true, true }

func (c *concreteRun) gaveUp(ex *Engine, st *State, why string) {
	st.done, c.short = true, true
	c.doubt(why)
}

func (c *concreteRun) rejected(ex *Engine, st *State) {
	st.done = true
	c.doubt("an assumption does not hold")
}

// doubt notes the first thing that makes the run another than the native one.
func (c *concreteRun) doubt(why string) {
	if c.why == "" {
		c.why = why
	}
}

func (c *concreteRun) left(*Engine, *State, int) {}

func (c *concreteRun) lost(_ *Engine, _ *State, why string) { c.doubt(why) }

func (c *concreteRun) mayFork(*Engine, *State) bool { return false }

func (c *concreteRun) forked(*Engine, *State, *State) {}

func (c *concreteRun) assumed(*Engine, *State, *expr.Expr) {}

func (c *concreteRun) bytes(v *expr.Var) []byte {
	if c.given == nil {
		return c.model.Bytes(v)
	}
	b, ok := c.given[v.Name]
	if !ok || len(b) != v.Size {
		c.doubt(fmt.Sprintf("the test does not hold %q", v.Name))
		b = append(make([]byte, 0, v.Size), b[:min(len(b), v.Size)]...)[:v.Size]
	}
	return b
}

func (c *concreteRun) explores() bool { return false }

func (c *concreteRun) wants(ex *Engine, st *State, id uint32, call *callContext) {
	c.asked = id
	if ex.grey.fails[id] {
		c.past = ex.clone(st)
	}
	call.set(ex, Value{C: 1})
}

func (c *concreteRun) label(ex *Engine, st *State, id uint32, v Value) {
	c.asked, c.past = 0, nil
	if v.C != 0 && len(c.hits) < 1<<20 {
		c.hits = append(c.hits, id)
	}
}
