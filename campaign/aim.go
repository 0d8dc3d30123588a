package campaign

import (
	"klabel/label"
)

// Aiming at the second half of a pair: where a test shows one vector of a condition,
// a partner completes it. The plan counts such a label fully and others of pairs half;
// and an engine that explores an entry anew begins with the tests of that entry that
// have shown the first half: it asks for the partner on their paths, and looks soon
// at what lies beside them.

// halfWorth is that of a label which only together with another one shows something.
const halfWorth = 0.5

// maxHalves bounds the tests with a first half that one run begins with.
const maxHalves = 8

// completing are the labels of pairs, by the decisions that wait for them, each of
// which would show a condition of it by itself, and the labels of which two are
// wanting.
func (c *session) completing() (complete map[label.ID][]int, halves map[label.ID]bool) {
	if c.pairs == nil {
		return nil, nil
	}
	complete, halves = map[label.ID][]int{}, map[label.ID]bool{}
	for i := range c.pairs.decisions {
		for _, x := range c.pairs.decisions[i].Conditions {
			if x.Pairs == nil {
				continue
			}
			want := x.Want(c.known)
			want.Completing(c.known, func(id label.ID) { complete[id] = append(complete[id], i) })
			want.Needed(c.known, func(id label.ID) { halves[id] = c.pairs.paired[id] })
		}
	}
	for id := range complete {
		delete(halves, id)
	}
	return complete, halves
}

// aimed chooses the tests that have shown a half of what is open: for each decision
// that waits for the other half one test, the latest.
func (c *session) aimed(tests []seed) (out []int) {
	complete, _ := c.completing()
	waits := map[int]bool{}
	for _, ds := range complete {
		for _, d := range ds {
			waits[d] = true
		}
	}
	for i := len(tests) - 1; i >= 0 && len(out) < maxHalves && len(waits) > 0; i-- {
		news := false
		for _, id := range tests[i].hits {
			for _, d := range c.pairs.of[id] {
				news = news || waits[d] && !c.pairs.decisions[d].Hyper
				delete(waits, d)
			}
		}
		if news {
			out = append(out, i)
		}
	}
	return out
}
