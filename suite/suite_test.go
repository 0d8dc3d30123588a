package suite

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"
	"time"

	"klabel/label"
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
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
}
