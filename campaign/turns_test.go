package campaign

import (
	"strings"
	"testing"
	"time"
)

// owners plays slices of one way: finds says in which turns of the engine (e) and of
// the one beside (b) something is found.
func owners(patient bool, n int, finds map[string]bool) string {
	var out strings.Builder
	w := &way{near: ids(1)}
	p := newPlan([]*way{w}, time.Minute, 0, patience)
	for range n {
		s := slice{way: w, number: w.slices, budget: time.Second}
		beside := p.forBeside(w, patient)
		name := "e"
		if beside {
			name = "b"
		}
		out.WriteString(name)
		number := w.begin(beside)
		found := 0
		if finds[name] || finds[name+string(rune('0'+number))] {
			found = 1
		}
		p.told(s, s.budget, found, false)
	}
	return out.String()
}

func TestTurns(t *testing.T) {
	for _, c := range []struct {
		what    string
		patient bool
		finds   map[string]bool
		want    string
	}{
		{"turn by turn where neither finds anything", false, nil, "ebebebeb"},
		{"turn by turn where both find", false, map[string]bool{"e": true, "b": true}, "ebebebeb"},
		{"who finds has more", false, map[string]bool{"b": true}, "ebbbebbbebbb"},
		{"the other's first turn comes in any case", false, map[string]bool{"e": true}, "ebeeebeeeb"},
		{"as long as it finds", false, map[string]bool{"e0": true, "e1": true}, "ebeebebe"},
		{"a patient one waits until nothing is found", true, map[string]bool{"e0": true, "e1": true}, "eeebebeb"},
	} {
		if got := owners(c.patient, len(c.want), c.finds); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// That the fuzzer's process ends early says nothing of what the engine leaves out.
func TestEndsOfTheEngineAlone(t *testing.T) {
	w := &way{near: ids(1)}
	p := newPlan([]*way{w}, time.Minute, 0, 0)
	for range vain + 1 {
		w.begin(true)
		p.told(slice{way: w, budget: time.Second}, time.Millisecond, 0, false)
	}
	if w.ended != 0 || !w.beside {
		t.Errorf("%+v", *w)
	}
	for range vain {
		w.begin(false)
		p.told(slice{way: w, budget: time.Second}, time.Millisecond, 0, false)
	}
	if !p.forBeside(w, false) {
		t.Error("the engine has come to its end, and gets a turn")
	}
}
