package campaign

import (
	"testing"
	"time"

	"klabel/label"
)

// mixed plays a plan in which labels take an engine so long each: own and other say how
// long, 0 for never, by the number of the way. It returns how many are found in a time.
func mixed(ways, labels int, all time.Duration, with bool, own, other func(way int) time.Duration) (found int) {
	p := newPlan(nil, all, 0, 0)
	covered := map[label.ID]bool{}
	spent := map[*way][2]time.Duration{}
	for g := range ways {
		var near []label.ID
		for i := range labels {
			near = append(near, label.ID(g*labels+i))
		}
		p.take([]*way{{group: g, near: ids(near...)}})
	}
	p.first = firstSlice(all, ways)
	if with {
		p.shared = func(*way) bool { return true }
	}
	for left := all; ; {
		s, ok := p.next(left, func(id label.ID) bool { return !covered[id] })
		if !ok {
			return len(covered)
		}
		w, takes, engine := s.way, own, 0
		if s.beside {
			takes, engine = other, 1
		}
		t := spent[w]
		t[engine] += s.budget
		spent[w] = t
		news := 0
		if each := takes(w.group); each > 0 {
			// From one end or the other: what the two find is not the same.
			for i := range min(int(t[engine]/each), labels) {
				id := label.ID(w.group*labels + i)
				if engine == 1 {
					id = label.ID(w.group*labels + labels - 1 - i)
				}
				if !covered[id] {
					covered[id] = true
					news++
				}
			}
		}
		left -= s.budget
		p.told(s, s.budget, news, false)
	}
}

// Two engines that share the time find as much as the campaign's own where the other finds nothing
// or the same, come close to the one beside where it is the better one, and find more than either
// where each has what is easy for it.
func TestMixIsNotBehind(t *testing.T) {
	never := func(int) time.Duration { return 0 }
	steady := func(int) time.Duration { return 400 * time.Millisecond }
	fair := func(int) time.Duration { return 200 * time.Millisecond }
	quick := func(int) time.Duration { return 30 * time.Millisecond }
	slow := func(int) time.Duration { return 4 * time.Second }
	even := func(g int) time.Duration { return time.Duration(1-g%2) * 400 * time.Millisecond }
	odd := func(g int) time.Duration { return time.Duration(g%2) * 400 * time.Millisecond }
	for _, c := range []struct {
		what       string
		own, other func(int) time.Duration
		least      float64 // of the better one
		ways       int     // functions, 24 if 0
	}{
		{"the fuzzer finds nothing", steady, never, 1, 0},
		{"the fuzzer finds little", steady, slow, 1, 0},
		{"the engine finds nothing", never, steady, 0.8, 0},
		{"the engine finds little", slow, steady, 0.8, 0},
		{"each has its functions", even, odd, 1.15, 0},
		{"both find as much", steady, steady, 1, 0},
		{"the fuzzer is the better one, functions are many", fair, quick, 0.85, 300},
		{"the engine is the better one, functions are many", quick, fair, 0.95, 300},
	} {
		const labels, all = 10, 60 * time.Second
		ways := max(c.ways, 24)
		better := max(mixed(ways, labels, all, false, c.own, nil), mixed(ways, labels, all, false, c.other, nil))
		both := mixed(ways, labels, all, true, c.own, c.other)
		if float64(both) < c.least*float64(better) {
			t.Errorf("%s: %d labels, the better engine alone %d", c.what, both, better)
		}
	}
}
