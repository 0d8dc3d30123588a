package suite

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"
	"time"

	"klabel/label"
	"klabel/objective"
)

func names(ts []Test) []string {
	out := []string{}
	for _, t := range ts {
		out = append(out, t.Name)
	}
	return out
}

func TestReduce(t *testing.T) {
	at := func(n int) time.Time { return time.Unix(int64(n), 0) }
	for name, c := range map[string]struct {
		tests []Test
		want  []string
	}{
		"none":    {nil, []string{}},
		"no hits": {[]Test{{Name: "a"}}, []string{}},
		"all needed": {[]Test{{Name: "b", Hits: []label.ID{1}, At: at(2)},
			{Name: "a", Hits: []label.ID{2}, At: at(1)}}, []string{"a", "b"}},
		"bigger first": {[]Test{{Name: "a", Hits: []label.ID{1}}, {Name: "b", Hits: []label.ID{1, 2}}}, []string{"b"}},
		"small wins": {[]Test{{Name: "a", Size: 9, Hits: []label.ID{1}},
			{Name: "b", Size: 3, Hits: []label.ID{1, 1}}}, []string{"b"}},
		"older wins": {[]Test{{Name: "a", At: at(5), Hits: []label.ID{1}},
			{Name: "b", At: at(4), Hits: []label.ID{1}}}, []string{"b"}},
		// Greedy takes the test of four first, and the other two make it redundant.
		"clean-up": {[]Test{{Name: "x", Hits: []label.ID{2, 3, 4, 5}}, {Name: "y", Hits: []label.ID{1, 2, 3}},
			{Name: "z", Hits: []label.ID{4, 5, 6}}}, []string{"y", "z"}},
	} {
		if got := names(Reduce(c.tests, nil)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: kept %v, want %v", name, got, c.want)
		}
	}
}

func TestReduceLooksOnlyAtWhatCounts(t *testing.T) {
	ts := []Test{{Name: "a", Hits: []label.ID{1, 2, 3}}, {Name: "b", Hits: []label.ID{9}}}
	if got := names(Reduce(ts, func(id label.ID) bool { return id == 9 })); !reflect.DeepEqual(got, []string{"b"}) {
		t.Errorf("kept %v", got)
	}
}

// What is promised, on random suites: nothing lost, nothing to spare, order of
// the input without influence.
func TestReduceKeepsItsPromises(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for round := range 300 {
		var ts []Test
		all := map[label.ID]bool{}
		for i := range r.Intn(40) {
			x := Test{Name: fmt.Sprint(i), Size: r.Intn(4), At: time.Unix(int64(r.Intn(5)), 0)}
			for range r.Intn(6) {
				id := label.ID(r.Intn(30))
				x.Hits = append(x.Hits, id)
				all[id] = true
			}
			ts = append(ts, x)
		}
		kept := Reduce(ts, nil)
		times := map[label.ID]int{}
		for _, k := range kept {
			h := slices.Clone(k.Hits)
			slices.Sort(h)
			for _, id := range slices.Compact(h) {
				times[id]++
			}
		}
		if len(times) != len(all) {
			t.Fatalf("round %d: %d of %d labels kept", round, len(times), len(all))
		}
		for _, k := range kept {
			if !slices.ContainsFunc(k.Hits, func(id label.ID) bool { return times[id] == 1 }) {
				t.Fatalf("round %d: test %s can be left out", round, k.Name)
			}
		}
		r.Shuffle(len(ts), func(i, j int) { ts[i], ts[j] = ts[j], ts[i] })
		if again := names(Reduce(ts, nil)); !reflect.DeepEqual(again, names(kept)) {
			t.Fatalf("round %d: another order keeps %v, not %v", round, again, names(kept))
		}
	}
}

func TestReduceIsFastOnManyTests(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	var ts []Test
	for i := range 20000 {
		x := Test{Name: fmt.Sprint(i)}
		for range 50 {
			x.Hits = append(x.Hits, label.ID(r.Intn(500)))
		}
		ts = append(ts, x)
	}
	start := time.Now()
	if n := len(Reduce(ts, nil)); n == 0 || n > 100 {
		t.Errorf("%d tests kept", n)
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("it took %v", d)
	}
}

func TestReduceForPairs(t *testing.T) {
	parse := func(s string) *objective.Expr {
		e := new(objective.Expr)
		if err := e.UnmarshalText([]byte(s)); err != nil {
			t.Fatal(err)
		}
		return e
	}
	ts := []Test{{Name: "a", Hits: []label.ID{1}}, {Name: "b", Hits: []label.ID{2}}, {Name: "c", Hits: []label.ID{3}},
		{Name: "d", Hits: []label.ID{4, 9}}, {Name: "e", Hits: []label.ID{5}}}
	paired := map[label.ID]bool{1: true, 2: true, 3: true, 4: true, 5: true}
	for _, c := range []struct {
		wants []string
		want  []string
	}{
		{nil, []string{"d"}}, // 9 counts by itself
		{[]string{"l1.l2"}, []string{"a", "b", "d"}},
		{[]string{"l1.(l2+l4)"}, []string{"a", "d"}},
		{[]string{"l1.(l2+l3)", "l2.l5"}, []string{"a", "b", "d", "e"}},
		{[]string{"l1.l7"}, []string{"d"}}, // nothing covers it
	} {
		var es []*objective.Expr
		for _, w := range c.wants {
			es = append(es, parse(w))
		}
		if got := names(ReduceFor(ts, paired, es)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: kept %v, want %v", c.wants, got, c.want)
		}
	}
	if got := names(ReduceFor(ts, nil, nil)); len(got) != 5 {
		t.Errorf("without pairs: kept %v", got)
	}
}

// What is promised, on random suites: objectives that all tests make true stay
// true, plain labels stay covered, and no test can be left out.
func TestReduceForKeepsItsPromises(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	id := func(from, n int) *objective.Expr {
		return &objective.Expr{Op: objective.OpLabel, ID: label.ID(from + r.Intn(n))}
	}
	for round := range 300 {
		var ts []Test
		paired := map[label.ID]bool{}
		for i := range 20 {
			paired[label.ID(i)] = true
		}
		for i := range 1 + r.Intn(15) {
			x := Test{Name: fmt.Sprint(i)}
			for range r.Intn(5) {
				x.Hits = append(x.Hits, label.ID(r.Intn(24)))
			}
			ts = append(ts, x)
		}
		var es []*objective.Expr
		for range r.Intn(6) {
			es = append(es, &objective.Expr{Op: objective.OpAnd, Args: []*objective.Expr{id(0, 20),
				{Op: objective.OpOr, Args: []*objective.Expr{id(0, 20), id(0, 20)}}}})
		}
		covers := func(ts []Test, id label.ID) bool {
			return slices.ContainsFunc(ts, func(t Test) bool { return slices.Contains(t.Hits, id) })
		}
		keeps := func(some []Test) bool {
			for i := label.ID(20); i < 24; i++ {
				if covers(ts, i) && !covers(some, i) {
					return false
				}
			}
			return !slices.ContainsFunc(es, func(e *objective.Expr) bool {
				return e.Covered(func(id label.ID) bool { return covers(ts, id) }) &&
					!e.Covered(func(id label.ID) bool { return covers(some, id) })
			})
		}
		kept := ReduceFor(ts, paired, es)
		if !keeps(kept) {
			t.Fatalf("round %d: %v of %v loses something", round, names(kept), ts)
		}
		for i := range kept {
			if keeps(slices.Delete(slices.Clone(kept), i, i+1)) {
				t.Fatalf("round %d: test %s can be left out", round, kept[i].Name)
			}
		}
	}
}
