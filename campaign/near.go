package campaign

import (
	"klabel/label"
	"klabel/linkage"
)

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
			for _, l := range c.prog.labels {
				w.near[l.ID] = 0
			}
		}
		w.least = least(w.near)
		out = append(out, w)
	}
	return out
}

// near are the labels that functions may reach, and in how many calls.
func (p *program) near(start ...linkage.Place) map[label.ID]int {
	out := map[label.ID]int{}
	for at, calls := range p.calls.From(start...) {
		for _, id := range p.byPlace[at] {
			if known, ok := out[id]; !ok || calls < known {
				out[id] = calls
			}
		}
	}
	return out
}

// least is in how many calls the closest of labels are.
func least(near map[label.ID]int) int {
	n := -1
	for _, calls := range near {
		if n < 0 || calls < n {
			n = calls
		}
	}
	return n
}

// opened counts what a function's next variants may cover: labels of its own that are
// open or, where it has none and only hands on what it is given, the closest.
func (c *session) opened(t target) (n int) {
	near := c.prog.near(t.place())
	closest := least(near)
	for id, calls := range near {
		if calls == closest && c.isOpen(id) {
			n++
		}
	}
	return n
}
