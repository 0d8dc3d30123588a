package exec

import (
	"context"
	"errors"
	"fmt"
)

// Replayed is what a run with the inputs of a test shows.
type Replayed struct {
	Hits   []uint32 // labels met, each once, in that order
	Normal bool     // it came to the program's normal end
	Why    string   // it did not, or something in it may be otherwise natively
}

// Replay runs the program with the inputs of a test. The program cannot claim a
// label here: it has no access to where they are noted, and klabel_wants and
// klabel_label mean nothing but where a call names them.
func (ex *Engine) Replay(ctx context.Context, inputs []Object) (Replayed, error) {
	defer ex.begin(ctx)()
	given, seen := map[string][]byte{}, map[string]int{}
	for _, o := range inputs {
		given[nthName(o.Name, seen[o.Name])] = o.Data
		seen[o.Name]++
	}
	_, run := ex.concrete(func() *concreteRun { return &concreteRun{given: given, limit: maxConcrete} })
	if run == nil {
		return Replayed{}, errors.New("the program cannot be started")
	}
	out := Replayed{Normal: run.normal, Why: run.why}
	once := map[uint32]bool{}
	for _, id := range run.hits {
		if !once[id] {
			once[id] = true
			out.Hits = append(out.Hits, id)
		}
	}
	if !out.Normal && out.Why == "" {
		out.Why = "it does not end in time"
	}
	return out, nil
}

// nthName names the inputs of one name apart, in their order.
func nthName(name string, n int) string {
	if n == 0 {
		return name
	}
	return fmt.Sprintf("%s#%d", name, n)
}
