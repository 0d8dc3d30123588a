package campaign

import (
	"slices"

	"klabel/label"
	"klabel/linkage"
)

// nearby are the labels that an entry may reach. The ways of a function share one: a large
// program has millions of pairs of a function and a label that it reaches.
type nearby struct {
	labels []nearLabel
	least  int // the fewest calls to one of them; -1 of none

	// What they are worth, as the plan saw it last.
	round uint64
	value float64
	own   bool // one that is open is among the closest
}

// nearLabel is a label that is reached in so many calls.
type nearLabel struct {
	id    label.ID
	calls int32
}

// nearbyOf are labels, each once with the fewest calls. They may come in any order.
func nearbyOf(list []nearLabel) *nearby {
	n := &nearby{labels: list, least: -1}
	slices.SortFunc(list, func(a, b nearLabel) int {
		if a.id != b.id {
			return int(a.id) - int(b.id)
		}
		return int(a.calls - b.calls)
	})
	n.labels = slices.CompactFunc(list, func(a, b nearLabel) bool { return a.id == b.id })
	for _, l := range n.labels {
		if n.least < 0 || int(l.calls) < n.least {
			n.least = int(l.calls)
		}
	}
	return n
}

// all are the labels; none of what is not there.
func (n *nearby) all() []nearLabel {
	if n == nil {
		return nil
	}
	return n.labels
}

// anyOpen reports whether one of them is.
func (n *nearby) anyOpen(open func(label.ID) bool) bool {
	return slices.ContainsFunc(n.all(), func(l nearLabel) bool { return open(l.id) })
}

// ids are the labels without the calls to them.
func (n *nearby) ids() map[label.ID]bool {
	out := make(map[label.ID]bool, len(n.all()))
	for _, l := range n.all() {
		out[l.id] = true
	}
	return out
}

// labelsByFunction sorts the labels of the program by the functions that hold
// them, in every unit that has them.
func (p *program) labelsByFunction() (map[linkage.Place][]label.ID, error) {
	out := map[linkage.Place][]label.ID{}
	for i, u := range p.units {
		calls, err := u.Labels()
		if err != nil {
			return nil, err
		}
		for _, c := range calls {
			at := linkage.Place{Unit: i, Name: c.Function}
			out[at] = append(out[at], c.ID)
		}
	}
	return out, nil
}

// ways are the entries in the words of the plan.
func (c *session) ways(im *image) []*way {
	groups := map[string]int{}
	for i, t := range c.prog.asked {
		groups[t.name] = i
	}
	var out []*way
	for _, e := range im.entries {
		w := &way{entry: e, group: groups[e.target], rank: e.rank, settled: c.rests(e.name)}
		if r, ok := c.memory.knows(e.name); ok && w.settled {
			w.complete = r.Complete
		}
		start := []linkage.Place{{Unit: e.unit, Name: e.function}}
		if e.inputs != nil && e.inputs.Oracle != "" && c.job.Driver.Checked { // which the driver calls
			start = append(start, linkage.Place{Unit: e.unit, Name: c.job.Driver.Oracle})
		}
		w.near = c.prog.near(start...)
		if e.ownMain() { // whatever a program can do, it does from here
			var all []nearLabel
			for _, l := range c.prog.labels {
				all = append(all, nearLabel{id: l.ID})
			}
			w.near = nearbyOf(all)
		}
		out = append(out, w)
	}
	return out
}

// near are the labels that functions may reach, and in how many calls.
func (p *program) near(start ...linkage.Place) *nearby {
	p.mu.Lock()
	known := p.nearTo[start[0]]
	p.mu.Unlock()
	if len(start) == 1 && known != nil {
		return known
	}
	var list []nearLabel
	for _, at := range p.calls.From(start...) {
		for _, id := range p.byPlace[at.Place] {
			list = append(list, nearLabel{id, int32(at.Calls)})
		}
	}
	n := nearbyOf(list)
	if len(start) == 1 {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.nearTo == nil {
			p.nearTo = map[linkage.Place]*nearby{}
		}
		if known := p.nearTo[start[0]]; known != nil {
			return known
		}
		p.nearTo[start[0]] = n
	}
	return n
}

// opened counts what a function's next variants may cover: labels of its own that are
// open or, where it has none and only hands on what it is given, the closest.
func (c *session) opened(t target) (n int) {
	near := c.prog.near(t.place())
	for _, l := range near.all() {
		if int(l.calls) == near.least && c.isOpen(l.id) {
			n++
		}
	}
	return n
}
