package campaign

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"klabel/label"
)

// owners plays slices of one way, one after the other: finds says in which turns of the engine
// (e) and of the one beside (b) something is found.
func owners(patient bool, n int, finds map[string]bool) string {
	var out strings.Builder
	w := &way{near: ids(1)}
	p := newPlan([]*way{w}, time.Hour, 0, 0)
	p.first, p.alone = time.Second, n
	if !patient {
		p.shared = func(*way) bool { return true }
	}
	for range n {
		s, ok := p.next(time.Second, func(label.ID) bool { return true })
		if !ok {
			return out.String()
		}
		if patient && p.forBeside(w) {
			p.goes(&s, true)
		}
		name := "e"
		if s.beside {
			name = "b"
		}
		out.WriteString(name)
		found := 0
		if finds[name] || finds[fmt.Sprint(name, w.by[seat(s.beside)].slices)] {
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
		{"half of the time each where neither finds anything", false, nil, "ebebebebebeb"},
		{"the engine's alone as long as it finds something", false, map[string]bool{"e": true, "b": true}, "eeeeeeeeeeee"},
		{"and then both in turn", false, map[string]bool{"e0": true, "e1": true}, "eeebebebebeb"},
		{"who finds has more, once there are turns to go by", false, map[string]bool{"b": true}, "ebebebebebbb"},
		{"a patient one waits until nothing is found", true, map[string]bool{"e0": true, "e1": true}, "eeebebeb"},
	} {
		if got := owners(c.patient, len(c.want), c.finds); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// Two engines that share a plan go to different ways: nobody tries at once what nobody has
// tried, the engine has all first turns, and what one has tried in vain the other still may.
func TestSharedWays(t *testing.T) {
	a, b := &way{group: 0, near: ids(1, 2)}, &way{group: 1, near: ids(3)}
	p := newPlan([]*way{a, b}, time.Minute, 0, 0)
	can := true
	p.shared = func(*way) bool { return can }
	all := func(label.ID) bool { return true }
	one, _ := p.next(time.Minute, all)
	two, _ := p.next(time.Minute, all)
	if one.way != a || one.beside || two.way != b || two.beside {
		t.Fatalf("%+v, %+v", one, two)
	}
	p.told(one, one.budget, 0, false)
	p.told(two, two.budget, 0, false)
	own, _ := p.next(time.Minute, all)
	other, _ := p.next(time.Minute, all)
	if own.way != a || !own.beside || other.way != b || !other.beside {
		t.Errorf("%+v, %+v", own, other)
	}
	can = false // its program is being compiled: the engine has its turns
	s, ok := p.next(time.Minute, all)
	if !ok || s.beside || s.way != a {
		t.Errorf("%+v", s)
	}
	p.told(s, s.budget, 0, true)
	p.told(own, own.budget, 0, false)
	p.told(other, other.budget, 0, false)
	if !a.complete || a.busy() || b.by[1].slices != 1 || b.by[1].barren != 1 {
		t.Errorf("%+v, %+v", a, b)
	}
}

// A turn of the engine beside is not the end of all first turns.
func TestHadFirstTurns(t *testing.T) {
	a, b := &way{group: 0, near: ids(1)}, &way{group: 1, near: ids(2)}
	p := newPlan([]*way{a, b}, time.Minute, 0, 0)
	p.shared = func(*way) bool { return true }
	p.told(slice{way: a, budget: time.Second}, time.Second, 0, false)
	p.look(func(label.ID) bool { return true })
	s := slice{way: a, number: 1, beside: true}
	if p.hadFirst(s) {
		t.Error("one of two functions has had its first turn")
	}
	p.told(slice{way: b, budget: time.Second}, time.Second, 0, false)
	if !p.hadFirst(s) {
		t.Error("both have had their first turns")
	}
}

// The engine beside leaves a way to the other one as long as that finds something there, unless
// the other one finds much less, or a core would have nothing to do.
func TestLeavesWhatTheOtherFinds(t *testing.T) {
	all := func(label.ID) bool { return true }
	for _, c := range []struct {
		what            string
		own, other      int // finds of late
		ownFinds, works bool
		want            bool
	}{
		{"the other finds something", 9, 9, true, false, false},
		{"it was in vain", 9, 9, false, false, true},
		{"the other finds much less", 0, 9, true, false, true},
		{"the other works there", 9, 9, true, true, true},
	} {
		w := &way{near: ids(1)}
		p := newPlan([]*way{w}, time.Hour, 0, 0)
		p.shared = func(*way) bool { return true }
		for range leastTurns {
			p.score.add(false, time.Second, time.Second, c.own)
			p.score.add(true, time.Second, time.Second, c.other)
		}
		found := 0
		if c.ownFinds {
			found = 1
		}
		p.told(slice{way: w, budget: time.Second}, time.Second, found, false)
		p.score.owed = 1 // it is the turn of the one beside
		if c.works {
			p.score.owed = -1
			if s, ok := p.next(time.Hour, all); !ok || s.beside {
				t.Fatalf("%s: %+v", c.what, s)
			}
		}
		if s, ok := p.next(time.Hour, all); !ok || s.beside != c.want {
			t.Errorf("%s: %+v", c.what, s)
		}
	}
}

// Each of two engines has its part of the time, however small that is and however long its turns are.
func TestParts(t *testing.T) {
	for _, c := range []struct{ finds, least, most float64 }{{0, 0.05, 0.08}, {1, 0.3, 0.7}, {9, 0.8, 0.95}} {
		var s score
		var had [2]float64
		for turn := range 1000 {
			beside := s.due()
			length := time.Duration(1+turn%5) * time.Second
			s.gets(beside, 2*length) // it ends before its time
			found := 1
			if beside {
				found = int(c.finds)
			}
			s.add(beside, 2*length, length, found*int(length.Seconds()))
			had[seat(beside)] += length.Seconds()
		}
		if part := had[1] / (had[0] + had[1]); part < c.least || part > c.most {
			t.Errorf("%v times as many finds: %.2f of the time, want %v to %v", c.finds, part, c.least, c.most)
		}
	}
}

// Of many functions in little time the engine beside has the first turns of two, once the other has had
// some. Where it finds as much there it has further ones, else none; and none where the other has plenty.
func TestFirstTurnsOnTrial(t *testing.T) {
	all := func(label.ID) bool { return true }
	for _, c := range []struct {
		own, other int // finds in a turn
		want       string
	}{
		{1, 0, "eeeebbeeeeee"},
		{1, 1, "eeeebbbbebbe"},
		{3, 9, "eeeeeeeeeeee"},
		{0, 9, "eeeebbbbebbb"},
	} {
		p := newPlan(nil, time.Hour, 0, 0)
		for g := range 2 * len(c.want) {
			p.take([]*way{{group: g, near: ids(label.ID(g))}})
		}
		p.first, p.shared = time.Second, func(*way) bool { return true }
		got := ""
		for range c.want {
			s, ok := p.next(10*time.Second, all)
			if !ok || s.number > 0 {
				t.Fatalf("%+v, %v", s, ok)
			}
			name, found := "e", c.own
			if s.beside {
				name, found = "b", c.other
			}
			got += name
			p.told(s, s.budget, found, false)
		}
		if got != c.want {
			t.Errorf("%d and %d finds: %s, want %s", c.own, c.other, got, c.want)
		}
	}
}

// That the fuzzer's process ends early says nothing of what the engine leaves out.
func TestEndsOfTheEngineAlone(t *testing.T) {
	w := &way{near: ids(1)}
	p := newPlan([]*way{w}, time.Minute, 0, 0)
	all := func(label.ID) bool { return true }
	p.shared = func(*way) bool { return true }
	for range vain + 1 {
		p.told(slice{way: w, budget: time.Second, beside: true}, time.Millisecond, 0, false)
	}
	if w.ended != 0 || !w.beside {
		t.Errorf("%+v", *w)
	}
	for range vain {
		p.told(slice{way: w, budget: time.Second}, time.Millisecond, 0, false)
	}
	for range 3 {
		s, ok := p.next(time.Minute, all)
		if !ok || !s.beside {
			t.Fatalf("the engine has come to its end, and gets a turn: %+v, %v", s, ok)
		}
		p.told(s, s.budget, 0, false)
	}
	if !p.forBeside(w) {
		t.Error("the engine has come to its end, and gets a turn before a patient one")
	}
	p.shared = func(*way) bool { return false }
	if s, ok := p.next(time.Minute, all); ok || !p.hopes() {
		t.Errorf("a slice of what is not compiled: %+v", s)
	}
}

// What a function may have is that of all its slices together, those that run at once included:
// of two engines, or of its variants.
func TestLimitOfSlicesAtOnce(t *testing.T) {
	const limit = 4 * time.Second
	for _, shared := range []bool{false, true} {
		p := newPlan([]*way{{near: ids(1)}, {near: ids(1)}, {near: ids(1)}}, time.Hour, limit, 0)
		p.first = 1500 * time.Millisecond
		if shared {
			p.shared = func(*way) bool { return true }
		}
		var run []slice
		all, spent := func(label.ID) bool { return true }, time.Duration(0)
		for turns := 0; ; turns++ {
			s, ok := p.next(time.Hour, all)
			if ok {
				run = append(run, s)
				if len(run) < 3 {
					continue
				}
			}
			if len(run) == 0 {
				if turns < 3 || spent < limit-minSlice || spent > limit {
					t.Errorf("two engines: %v: %v in %d turns, may have %v", shared, spent, turns, limit)
				}
				break
			}
			for _, s := range run {
				spent += s.budget
				p.told(s, s.budget, 1, false)
			}
			run = nil
		}
	}
}
