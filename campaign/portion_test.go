package campaign

import (
	"testing"
	"time"

	"klabel/drivers"
	"klabel/label"
	"klabel/linkage"
	"klabel/store"
)

// Portions have every variant of every function with open labels once, what finds most
// first; there are at most so many of them, and none that leaves no time to explore it.
func TestPortions(t *testing.T) {
	const functions = 60
	p := &program{image: &image{}, byPlace: map[linkage.Place][]label.ID{}, leftOut: map[string]string{},
		calls: &linkage.Calls{}}
	var labels []label.Label
	for i := range functions {
		name := string(rune('A' + i))
		p.asked = append(p.asked, target{name: name, function: name})
		p.image.entries = append(p.image.entries, entry{name: name, target: name, number: i + 1})
		for range i { // the first has none
			labels = append(labels, label.Label{ID: label.ID(len(labels) + 1)})
			at := linkage.Place{Name: name}
			p.byPlace[at] = append(p.byPlace[at], labels[len(labels)-1].ID)
		}
	}
	p.add(p.image)
	st, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	for _, slow := range []time.Duration{time.Microsecond, 10 * time.Second, 24 * time.Hour} {
		c := &session{st: st, prog: p, judge: newJudge(st, nil, layout{}, "native", Silent{}), firstTook: slow,
			explored: map[string]bool{"Z+wider": true}, job: Job{Budget: time.Minute}}
		next := c.newPortions(time.Now().Add(time.Hour))
		const all = (functions-1)*(len("123456789")-2) - 1 // not the plain ones, none for more room, one explored
		before := len(next.asked)
		n, last := 0, 0
		for of, late := next.next(); len(of) > 0; of, late = next.next() {
			if n++; n > mostPortions || late {
				t.Fatalf("portion %d, late %v, with %d functions", n, late, len(of))
			}
			if n == 1 && of[0].name != string(rune('A'+functions-1)) {
				t.Errorf("%v: %s comes first", slow, of[0].name)
			}
			next.number++
			last = len(next.asked)
		}
		want := map[time.Duration]int{time.Microsecond: 1, 10 * time.Second: mostPortions, 24 * time.Hour: 0}[slow]
		if n != want || want > 0 && last-before != all {
			t.Errorf("%v for the first image: %d portions with %d entries, want %d with %d", slow, n, last-before,
				want, all)
		}
		if next.asked["Z+wider"] || next.asked["A"+drivers.Calls.String()] || next.asked["Z+room"] {
			t.Errorf("%v: entries that find nothing", slow)
		}
	}
}
