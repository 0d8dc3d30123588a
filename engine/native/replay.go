package native

import (
	"context"
	"errors"
	"fmt"

	"klabel/engine"
	"klabel/engine/native/exec"
	"klabel/ktest"
	"klabel/label"
)

// Replayed is what klabel's interpreter sees of a test.
type Replayed struct {
	Hits   []label.ID
	Normal bool   // the program ends normally
	Why    string // it does not, or what the interpreter is not certain of
}

// Replay runs a program of mode greybox with the inputs of a test, from outside:
// it is interpreted, and cannot reach what notes its labels.
func (e *Engine) Replay(ctx context.Context, p engine.Program, o engine.Options, test string) (Replayed, error) {
	var out Replayed
	o.Mode, o.LiveView = engine.Greybox, ""
	o.ExtraArgs = []string{"--replay=" + test}
	r, err := e.Start(ctx, p, o)
	if err != nil {
		return out, err
	}
	if _, err := r.Wait(); err != nil {
		return out, err
	}
	rep, err := readReport(r.Dir())
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case err != nil:
		return out, fmt.Errorf("the native engine left no result: %w", err)
	case rep.Replayed == nil:
		return out, errors.New("the native engine did not run the test to a result")
	}
	out.Normal, out.Why = rep.Replayed.Normal, rep.Replayed.Why
	for _, id := range rep.Replayed.Hits {
		out.Hits = append(out.Hits, label.ID(id))
	}
	return out, nil
}

// replayTest is the engine's own side of it.
func replayTest(ctx context.Context, ex *exec.Engine, file string) (*exec.Replayed, error) {
	t, err := ktest.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, err := ex.Replay(ctx, objects(t))
	return &r, err
}

func objects(t *ktest.Test) (out []exec.Object) {
	for _, o := range t.Objects {
		out = append(out, exec.Object{Name: o.Name, Data: o.Data})
	}
	return out
}
