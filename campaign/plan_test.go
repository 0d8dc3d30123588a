package campaign

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"klabel/label"
)

// pretend is an entry for a plan: which labels it finds once its slices have
// been so long in all.
type pretend struct {
	group, rank int
	near        *nearby
	finds       map[label.ID]time.Duration
	ends        time.Duration // explored to its end after so much; 0: never
}

// play runs a plan with one worker and returns the order of the slices.
func play(t *testing.T, budget, limit time.Duration, patience int, entries []pretend) (order []string,
	covered map[label.ID]bool, spent time.Duration) {
	t.Helper()
	var ways []*way
	for i, e := range entries {
		ways = append(ways, &way{entry: entry{number: i}, group: e.group, rank: e.rank, near: e.near})
	}
	p := newPlan(ways, budget, limit, patience)
	covered = map[label.ID]bool{}
	open := func(id label.ID) bool { return !covered[id] }
	for range 10000 {
		s, ok := p.next(budget-spent, open)
		if !ok {
			return order, covered, spent
		}
		e := entries[s.way.entry.number]
		found, complete := 0, e.ends > 0 && s.budget >= e.ends
		took := s.budget
		if complete {
			took = e.ends
		}
		for id, after := range e.finds {
			if !covered[id] && took >= after {
				covered[id] = true
				found++
			}
		}
		spent += took
		order = append(order, fmt.Sprint(s.way.entry.number))
		p.told(s, took, found, complete)
	}
	t.Fatal("the plan has no end")
	return nil, nil, 0
}

func ids(list ...label.ID) *nearby {
	var all []nearLabel
	for _, id := range list {
		all = append(all, nearLabel{id: id})
	}
	return nearbyOf(all)
}

// calls are labels by the calls that it takes to reach them.
func calls(of map[label.ID]int) *nearby {
	var all []nearLabel
	for id, n := range of {
		all = append(all, nearLabel{id, int32(n)})
	}
	return nearbyOf(all)
}

func TestPlan(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name          string
		budget, limit time.Duration
		entries       []pretend
		order         string // prefix of the order of entries
		covered       int
		most          time.Duration // spent
		patience      int
	}{
		{"a single entry gets all at once", 60 * s, 0, []pretend{{near: ids(1)}}, "0", 0, 60 * s, 0},
		{"nothing open, nothing to do", 60 * s, 0, []pretend{{near: ids()}}, "", 0, 0, 0},
		{"callers first, and what they cover costs the callee nothing", 60 * s, 0, []pretend{
			{group: 1, near: ids(1, 2), finds: map[label.ID]time.Duration{1: 0, 2: 0}},
			{group: 2, near: calls(map[label.ID]int{3: 0, 4: 0, 1: 1, 2: 1}), finds: map[label.ID]time.Duration{1: 0, 2: 0, 3: 0, 4: 0}},
		}, "1", 4, 3 * s, 0},
		{"everything a little first", 60 * s, 0, []pretend{
			{group: 1, near: ids(1, 2, 3)}, {group: 2, near: ids(4)}, {group: 3, near: ids(5, 6)},
		}, "0 2 1", 0, 60 * s, 0},
		{"a variant comes when the plain entry has had its turn", 60 * s, 0, []pretend{
			{group: 1, near: ids(1, 2), ends: s / 10}, {group: 1, rank: 1, near: ids(1, 2), finds: map[label.ID]time.Duration{1: 0, 2: 0}},
		}, "0 1", 2, 10 * s, 0},
		{"what is explored is not tried again", 60 * s, 0, []pretend{{group: 1, near: ids(1), ends: s / 10}, {group: 2, near: ids(2), ends: s / 10}}, "0 1", 0, s, 0},
		{"where something was found lately, first", 60 * s, 0, []pretend{
			{group: 1, near: ids(1, 2, 3)}, {group: 2, near: ids(4, 5, 6), finds: map[label.ID]time.Duration{4: 0}},
		}, "0 1 1", 1, 60 * s, 0},
		{"slices grow until they suffice", 600 * s, 0, []pretend{
			{group: 1, near: ids(1), finds: map[label.ID]time.Duration{1: 20 * s}}, {group: 2, near: ids(2), finds: map[label.ID]time.Duration{2: 10 * s}},
		}, "0 1", 2, 120 * s, 0},
		{"no more than a few slices in vain", 600 * s, 0, []pretend{{group: 1, near: ids(1)}, {group: 2, near: ids(2)}}, "0 1 0 1", 0, 20 * s, 2},
		{"a variant of what ended soon before the second turn of what did not", 60 * s, 0, []pretend{
			{group: 1, near: ids(1, 2, 3, 4, 5, 6, 7, 8, 9), finds: map[label.ID]time.Duration{1: 0, 2: 4 * s}},
			{group: 2, near: ids(10), ends: s / 100},
			{group: 2, rank: 1, near: ids(10), finds: map[label.ID]time.Duration{10: 0}},
		}, "0 1 2 0", 3, 60 * s, 0},
		{"variants of a function that only hands on what it is given", 60 * s, 0, []pretend{
			{group: 1, near: calls(map[label.ID]int{1: 1, 2: 1}), ends: s / 10},
			{group: 1, rank: 1, near: calls(map[label.ID]int{1: 1, 2: 1}), finds: map[label.ID]time.Duration{1: 0, 2: 0}},
		}, "0 1", 2, 10 * s, 0},
		{"no variants of one whose own labels are covered", 60 * s, 0, []pretend{
			{group: 1, near: calls(map[label.ID]int{1: 0, 2: 1}), ends: s / 10, finds: map[label.ID]time.Duration{1: 0}},
			{group: 1, rank: 1, near: calls(map[label.ID]int{1: 0, 2: 1}), finds: map[label.ID]time.Duration{2: 0}},
		}, "0", 1, s, 0},
		{"one more variant of what has some in vain after the first of another", 60 * s, 0, []pretend{
			{group: 1, near: ids(1, 2)}, {group: 1, rank: 1, near: ids(1, 2)}, {group: 1, rank: 2, near: ids(1, 2)},
			{group: 1, rank: 3, near: ids(1, 2)},
			{group: 2, near: ids(3)}, {group: 2, rank: 1, near: ids(3), finds: map[label.ID]time.Duration{3: 0}},
		}, "0 4 1 2 5 3", 1, 60 * s, 0},
		{"a function's own budget", 600 * s, 2 * s, []pretend{{group: 1, near: ids(1)}, {group: 2, near: ids(2)}}, "0 1", 0, 4 * s, 0},
	} {
		order, covered, spent := play(t, c.budget, c.limit, c.patience, c.entries)
		if got := strings.Join(order, " "); !strings.HasPrefix(got, c.order) || c.order == "" && got != "" {
			t.Errorf("%s: order %s, want %s", c.name, got, c.order)
		}
		if len(covered) != c.covered {
			t.Errorf("%s: %d covered, want %d", c.name, len(covered), c.covered)
		}
		if spent > c.most {
			t.Errorf("%s: %v spent, at most %v wanted", c.name, spent, c.most)
		}
	}
}

// A plan that seeks failures gives each function one slice even if nothing is open.
func TestPlanSeeks(t *testing.T) {
	for seek, want := range map[bool]int{false: 0, true: 2} {
		ways := []*way{{group: 0}, {group: 1}, {group: 1, rank: 1}}
		p := newPlan(ways, time.Minute, 0, 0)
		p.seek = seek
		n := 0
		for s, ok := p.next(time.Minute, func(label.ID) bool { return false }); ok && n < 10; n++ {
			p.told(s, time.Second, 0, false)
			s, ok = p.next(time.Minute, func(label.ID) bool { return false })
		}
		if n != want {
			t.Errorf("seeking %v: %d slices, want %d", seek, n, want)
		}
	}
}

// A plan of a large program asks for each label once a slice, however many ways are near to it.
func TestPlanAsksOnce(t *testing.T) {
	near := ids(1, 2, 3, 4)
	var ways []*way
	for i := range 100 {
		ways = append(ways, &way{group: i, near: near})
	}
	p := newPlan(ways, time.Minute, 0, 0)
	asked, closed := 0, label.ID(0)
	open := func(id label.ID) bool { asked++; return id != closed }
	first, _ := p.next(time.Minute, open)
	if asked != 4 {
		t.Errorf("%d questions, want 4", asked)
	}
	p.told(first, time.Second, 0, false)
	before, _ := p.value(near)
	p.add([]*way{{group: 100, near: ids(4, 5)}})
	closed = 4
	p.next(time.Minute, open)
	if after, _ := p.value(near); before != 4 || after != 3 {
		t.Errorf("worth %v, then %v, want 4 and 3", before, after)
	}
	closed = 0 // a label may open again
	p.next(time.Minute, open)
	if again, _ := p.value(near); again != 4 {
		t.Errorf("worth %v where all are open again, want 4", again)
	}
}
