package campaign

import (
	"slices"
	"testing"
	"time"

	"klabel/label"
	"klabel/objective"
	"klabel/store"
	"klabel/store/storetest"
)

// aiming is a session with two decisions of two conditions, a && b, whose rows TT, TF
// and F- are the labels 0 to 2, and 3 to 5.
func aiming(t *testing.T) *session {
	t.Helper()
	st := storetest.Open(t, t.TempDir(), store.Options{})
	var ls []label.Label
	for id := range label.ID(6) {
		ls = append(ls, label.Label{ID: id, Tags: []string{"MCDC"}, Predicate: "x"})
	}
	var ds []objective.Decision
	for _, first := range []string{"l0.l2 l0.l1", "l3.l5 l3.l4"} {
		d := objective.Decision{Criterion: "MCDC", Text: "a && b"}
		for i, text := range []string{first[:5], first[6:]} {
			e := new(objective.Expr)
			if err := e.UnmarshalText([]byte(text)); err != nil {
				t.Fatal(err)
			}
			d.Conditions = append(d.Conditions, objective.Condition{Text: "ab"[i : i+1], Pairs: e})
		}
		for i, values := range []string{"TT", "TF", "F-"} {
			d.Vectors = append(d.Vectors, objective.Vector{Label: label.ID(3*len(ds) + i), Values: values})
		}
		ds = append(ds, d)
	}
	if err := st.SetLabels(ls); err != nil {
		t.Fatal(err)
	}
	c := &session{st: st, pairs: newPairs(ds, ls), judge: newJudge(st, nil, layout{}, "native", Silent{})}
	c.judge.aimed = c.aimed
	return c
}

func (c *session) cover(t *testing.T, id label.ID) {
	t.Helper()
	name := id.String()
	if _, err := c.st.Record(store.TestResult{Name: name, Hash: name, Data: []byte(name),
		Verdict: label.Verdict{Outcome: label.Normal, Hits: []label.ID{id}}}); err != nil {
		t.Fatal(err)
	}
}

// An engine begins with one test a decision that waits for a partner, the latest, and
// with each once; not with what shows nothing of it, nor when all is shown.
func TestBeginsWithFirstHalves(t *testing.T) {
	c := aiming(t)
	k, f := c.judge, entry{number: 1, name: "f"}
	k.seeds.add(f, []byte("old"), random, []label.ID{0})
	k.seeds.add(f, []byte("half"), "native", []label.ID{0})
	k.seeds.add(f, []byte("other"), "native", nil)
	if got := k.seedsOf(f, "native", nil); len(got) != 0 {
		t.Errorf("nothing is covered: %q", got)
	}
	c.cover(t, 0)
	want := func(want ...string) {
		t.Helper()
		var got []string
		for _, s := range k.seedsOf(f, "native", nil) {
			got = append(got, string(s))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	want("half")
	want("old")
	want()
	k.seeds.add(f, []byte("fuzzed"), fuzzName, []label.ID{0}) // these come at all times
	want("fuzzed")
	k.seeds.add(f, []byte("second"), "native", []label.ID{5})
	want("fuzzed")
	c.cover(t, 5)
	want("second", "fuzzed")
	k.seeds.add(f, []byte("third"), "native", []label.ID{0, 5})
	for _, id := range []label.ID{1, 2, 3, 4} {
		c.cover(t, id)
	}
	want("fuzzed")
}

// A label of which both halves are open is worth half of one that completes a pair.
func TestPlanPrefersPartners(t *testing.T) {
	c := aiming(t)
	c.cover(t, 3)
	complete, halves := c.completing()
	if len(complete) != 2 || complete[4] == nil || complete[5] == nil {
		t.Errorf("%v complete a pair", complete)
	}
	if len(halves) != 3 || !halves[0] || !halves[1] || !halves[2] {
		t.Errorf("%v are halves", halves)
	}
	ways := []*way{{group: 0, near: ids(0, 1, 2)}, {group: 1, near: ids(4, 5)}}
	p := newPlan(ways, time.Minute, 0, 0)
	p.halves = halves
	for _, w := range ways {
		w.slices = 1
	}
	if s, ok := p.next(time.Minute, c.isOpen); !ok || s.way.group != 1 {
		t.Errorf("the first is %+v", s.way)
	}
}
