package annotate

import "klabel/annotate/ctree"

// blockCoverage: BBC, every basic block is entered. A block starts at the
// function's entry, at a branch, at a label or case, in a loop's body, and
// where control comes together behind a statement that splits it. Code behind
// a jump that no label leads to is no block.
type blockCoverage struct{}

func (blockCoverage) mark(f *function, tag string) {
	for _, b := range f.blocks() {
		b.site.add("1", tag)
	}
}

// basicBlock is a place where a basic block starts and what it runs by itself.
type basicBlock struct {
	site *site
	own  []own
}

// own is a piece of text that a block runs: offsets in the unit.
type own struct{ start, end int }

// blocks lists the basic blocks in the order of the text.
func (f *function) blocks() []*basicBlock {
	w := &blockWalk{f: f, seen: map[*site]*basicBlock{}}
	cur := w.open(f.entry())
	w.list(f.Root.Items, cur)
	return w.out
}

type blockWalk struct {
	f    *function
	out  []*basicBlock
	seen map[*site]*basicBlock
}

func (w *blockWalk) open(s *site) *basicBlock {
	if b := w.seen[s]; b != nil {
		return b
	}
	b := &basicBlock{site: s}
	w.seen[s] = b
	w.out = append(w.out, b)
	return b
}

// list goes through the statements of a block; cur is nil where nothing runs.
func (w *blockWalk) list(items []*ctree.Stmt, cur *basicBlock) *basicBlock {
	fresh := false // a block starts here, but has no statement yet
	for _, s := range items {
		if s.Unreachable && !labelled(s) {
			continue
		}
		if fresh && s.Kind != ctree.Null {
			cur, fresh = w.open(w.f.startOf(s)), false
		}
		cur, fresh = w.stmt(s, cur, fresh)
	}
	return cur
}

func labelled(s *ctree.Stmt) bool { return s.Kind == ctree.Labelled || s.Kind == ctree.Case }

// startOf is the site in front of a statement or declaration in a list.
func (f *function) startOf(s *ctree.Stmt) *site {
	if s.Kind == ctree.Decl {
		return f.before(s)
	}
	return f.start(s)
}

func (b *basicBlock) runs(start, end int) {
	if b != nil && start >= 0 {
		b.own = append(b.own, own{start, end})
	}
}

// branch is a statement that control may or may not enter.
func (w *blockWalk) branch(s *ctree.Stmt) {
	if s == nil || s.Kind == ctree.Null {
		return
	}
	in := s.Inner()
	if in.Kind == ctree.Null {
		return
	}
	b := w.open(w.f.start(s))
	if in.Kind == ctree.Block {
		w.list(in.Items, b)
		return
	}
	w.stmt(in, b, false)
}

// stmt goes through a statement. It returns the block that is current behind
// it, and whether a new one starts there.
func (w *blockWalk) stmt(s *ctree.Stmt, cur *basicBlock, fresh bool) (*basicBlock, bool) {
	cond := func() {
		if s.Cond != nil {
			cur.runs(s.Span.Start, s.Cond.Span.End)
		}
	}
	switch s.Kind {
	case ctree.Labelled, ctree.Case:
		in := s.Inner()
		if in.Kind == ctree.Null {
			return cur, true // the block starts with the next statement
		}
		b := w.open(w.f.start(in))
		if in.Kind == ctree.Block {
			return w.list(in.Items, b), false
		}
		return w.stmt(in, b, false)
	case ctree.Block:
		return w.list(s.Items, cur), fresh
	case ctree.If:
		cond()
		w.branch(s.Body)
		w.branch(s.Else)
		return cur, true
	case ctree.Switch:
		cond()
		if s.Body != nil {
			if s.Body.Kind == ctree.Block {
				w.list(s.Body.Items, nil)
			} else {
				w.stmt(s.Body, nil, false)
			}
		}
		return cur, true
	case ctree.While, ctree.For:
		cond()
		w.branch(s.Body)
		return cur, true
	case ctree.Do:
		w.branch(s.Body)
		if s.Cond != nil {
			cur.runs(s.Cond.Span.Start, s.Cond.Span.End)
		}
		return cur, true
	}
	cur.runs(s.Span.Start, s.Span.End)
	return cur, fresh
}
