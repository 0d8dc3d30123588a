package campaign

import (
	"context"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/sample"
)

const (
	endingShare = 6 // of the budget, at most, without any answer that ends a run: one part
	endingFew   = 4 // of that, where it is an entry among others
	endingBrief = 250 * time.Millisecond
)

// talks reports whether an entry reads a standard input of which klabel chooses how long it is:
// the program's own main, or a driver of what reads one.
func (k *judge) talks(e entry) bool { return e.ownMain() && k.ownInput || e.inputs.ReadsInput() }

// left gives a test whose run reads on where there is nothing to read an input that ends
// the run, where that makes it cover something: the test, its verdict, and what it was
// asked for. Others are given back as they are.
func (k *judge) left(ctx context.Context, e entry, t *ktest.Test, v label.Verdict, asked []replayer.Asked) (*ktest.Test,
	label.Verdict, []replayer.Asked) {
	if !k.talks(e) || !replayer.Starved(v) || !k.meetsOpen(v.Hits) || !e.program() && k.endings.Known() == "" {
		return t, v, asked
	}
	for _, text := range k.endings.Try() {
		longer := sample.Ending(t, v.ReadTo, text)
		if longer == nil {
			break
		}
		load := max(1, k.load())
		w, a, err := k.poolOf(e).ReplayBriefly(ctx, e.number, longer, time.Duration(float64(endingBrief)*load))
		if err != nil {
			break
		}
		ended := w.Outcome == label.Normal
		if ended {
			k.endings.Worked(text)
			return longer, w, a
		}
		k.endings.Spent(time.Duration(float64(w.Duration) / load))
	}
	return t, v, asked
}
