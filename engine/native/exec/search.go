package exec

import (
	"fmt"
	"math/rand"
)

// searcher chooses the state to run next.
type searcher interface {
	add(*State)
	// join takes a state that no state here has begotten.
	join(*State)
	// update is told after each turn which state ran and which states it begot.
	// The state is taken out if it is done.
	update(ran *State, added []*State)
	pick() *State
	// find returns a state that is so, nil if there is none.
	find(func(*State) bool) *State
	// drop removes up to n states for good and returns how many.
	drop(n int) int
}

// SearcherNames are the accepted names, KLEE's and "labels".
var SearcherNames = []string{"dfs", "bfs", "random-state", "random-path", "nurs:covnew", "nurs:md2u", "nurs:depth",
	"nurs:rp", "nurs:icnt", "nurs:cpicnt", "nurs:qc", "covnew", "labels"}

// CheckSearchers reports a name that does not exist.
func CheckSearchers(names []string) error {
	for _, n := range names {
		ok := false
		for _, k := range SearcherNames {
			ok = ok || k == n
		}
		if !ok {
			return fmt.Errorf("unknown searcher %q (known: %v)", n, SearcherNames)
		}
	}
	return nil
}

// states is a set with random access, shared by the orders that look at it.
type states struct {
	list  []*State
	rng   *rand.Rand
	turns []order
	queue []*State // bfs only
	bfs   bool
	next  int
	tree  *treeNode
	ex    *Engine
}

// order is one way to choose among the states.
type order func(*states) *State

func (ex *Engine) newSearcher() searcher {
	s := &states{rng: ex.rng, ex: ex, tree: &treeNode{}}
	names := ex.o.Searchers
	if len(names) == 0 {
		names = []string{"random-path", "nurs:covnew"}
		if ex.o.Greybox {
			names = []string{"labels", "random-path", "labels", "nurs:covnew"}
		}
	}
	for _, n := range names {
		s.bfs = s.bfs || n == "bfs"
		s.turns = append(s.turns, ex.orderOf(n))
	}
	return s
}

func (ex *Engine) orderOf(name string) order {
	switch name {
	case "dfs":
		return func(s *states) *State { return s.list[len(s.list)-1] }
	case "bfs":
		return (*states).oldest
	case "random-state":
		return (*states).random
	case "nurs:depth", "nurs:rp":
		return func(s *states) *State {
			return s.best(func(st *State) float64 { return -float64(st.depth) })
		}
	case "nurs:icnt", "nurs:cpicnt":
		return func(s *states) *State {
			return s.best(func(st *State) float64 { return -float64(st.instrs) })
		}
	case "nurs:covnew", "covnew", "nurs:md2u", "nurs:qc":
		return (*states).newest
	case "labels":
		return ex.labelOrder()
	}
	return (*states).path
}

func (s *states) add(st *State) {
	st.index = len(s.list)
	s.list = append(s.list, st)
	if s.bfs {
		s.queue = append(s.queue, st)
	}
	if st.node == nil {
		st.node = s.tree
		s.tree.st = st
	}
}

func (s *states) join(st *State) {
	if len(s.list) == 0 {
		s.tree = &treeNode{}
	} else {
		s.ex.growTree(s.list[0], st)
	}
	s.add(st)
}

func (s *states) remove(st *State) {
	if st.index < 0 {
		return
	}
	last := s.list[len(s.list)-1]
	s.list[st.index] = last
	last.index = st.index
	s.list[len(s.list)-1] = nil
	s.list = s.list[:len(s.list)-1]
	st.index = -1
	st.node.cut()
}

func (s *states) update(ran *State, added []*State) {
	for _, a := range added {
		if a.done {
			a.node.cut()
			continue
		}
		s.add(a)
	}
	if ran.done {
		s.remove(ran)
	}
}

func (s *states) pick() *State {
	if len(s.list) == 0 {
		return nil
	}
	s.next++
	return s.turns[s.next%len(s.turns)](s)
}

func (s *states) find(is func(*State) bool) *State {
	for _, st := range s.list {
		if is(st) {
			return st
		}
	}
	return nil
}

func (s *states) random() *State { return s.list[s.rng.Intn(len(s.list))] }

// oldest is bfs: every state gets its turn before one gets a second.
func (s *states) oldest() *State {
	for len(s.queue) > 0 {
		st := s.queue[0]
		s.queue = s.queue[1:]
		if st.index >= 0 {
			s.queue = append(s.queue, st)
			return st
		}
	}
	return s.list[0]
}

// sample bounds how many states a choice looks at.
const sample = 32

// best looks at some random states and takes the one with the highest score.
func (s *states) best(score func(*State) float64) *State {
	var top *State
	var max float64
	n := min(sample, len(s.list))
	for i := 0; i < n; i++ {
		st := s.list[i]
		if len(s.list) > sample {
			st = s.random()
		}
		if v := score(st); top == nil || v > max {
			top, max = st, v
		}
	}
	return top
}

// newest is covnew: states that covered new code a short while ago.
func (s *states) newest() *State {
	return s.best(func(st *State) float64 { return -float64(st.instrs-st.newCover) - s.rng.Float64()*100 })
}

// path is random-path: a random walk down the tree of forks.
func (s *states) path() *State {
	n := s.tree
	for n.st == nil {
		switch {
		case n.kids[0] == nil:
			n = n.kids[1]
		case n.kids[1] == nil:
			n = n.kids[0]
		case s.ex.vain >= doomAfter && n.kids[0].doomed() != n.kids[1].doomed():
			if n.kids[0].doomed() {
				n = n.kids[1]
			} else {
				n = n.kids[0]
			}
		default:
			n = n.kids[s.rng.Intn(2)]
		}
		if n == nil {
			return s.random()
		}
	}
	return n.st
}

// drop keeps the states that covered something lately and drops others.
func (s *states) drop(n int) int {
	dropped := 0
	for ; dropped < n && len(s.list) > 1; dropped++ {
		worst := s.best(func(st *State) float64 { return float64(st.instrs-st.newCover) + float64(st.depth) })
		s.ex.miss(worst)
		worst.done = true
		s.remove(worst)
	}
	return dropped
}

// treeNode is a node of the tree of forks; leaves hold states.
type treeNode struct {
	parent *treeNode
	kids   [2]*treeNode
	st     *State
	dead   int  // paths below that ended in errors which were known
	lives  bool // one did not
}

// growTree notes a fork: the node of st becomes an inner one.
func (ex *Engine) growTree(st, child *State) {
	n := st.node
	if n == nil {
		return
	}
	a, b := &treeNode{parent: n, st: st}, &treeNode{parent: n, st: child}
	n.st, n.kids = nil, [2]*treeNode{a, b}
	st.node, child.node = a, b
}

// cut removes a leaf and the inner nodes that it leaves empty; a node with one
// child is joined with it.
func (n *treeNode) cut() {
	if n == nil {
		return
	}
	n.st = nil
	p := n.parent
	if p == nil {
		return
	}
	other := p.kids[0]
	if other == n {
		other = p.kids[1]
	}
	if other == nil {
		p.cut()
		return
	}
	p.kids, p.st = other.kids, other.st
	p.dead, p.lives = other.dead, other.lives
	if p.st != nil {
		p.st.node = p
	}
	for _, k := range p.kids {
		if k != nil {
			k.parent = p
		}
	}
}
