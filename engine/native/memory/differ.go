package memory

import "encoding/binary"

// Differs calls f with the objects in which two spaces differ, or may: now is that of
// s, then that of base; nil where there is none. What both share is not looked at. It
// stops when f returns false.
func (s *Space) Differs(base *Space, f func(now, then *Object) bool) bool {
	for i := range s.regions {
		a, b := &s.regions[i], &base.regions[i]
		var seen [2]*Object
		once := func(now, then *Object) bool {
			if now == seen[0] && then == seen[1] { // further slots of the same
				return true
			}
			seen = [2]*Object{now, then}
			return f(now, then)
		}
		top := max(a.level, b.level)
		if !differ(a.root, b.root, a.level, b.level, top, once) {
			return false
		}
	}
	return true
}

// differ walks two trees whose roots stand at the levels la and lb, from level on.
func differ(a, b *node, la, lb, level int, f func(now, then *Object) bool) bool {
	if a == b {
		return true
	}
	for i := range fan {
		if level == 0 {
			x, y := objectAt(a, i), objectAt(b, i)
			if x != y && !f(x, y) {
				return false
			}
			continue
		}
		if !differ(kidAt(a, la, level, i), kidAt(b, lb, level, i), la, lb, level-1, f) {
			return false
		}
	}
	return true
}

// kidAt is the i-th part of a tree at a level, which may be above its root.
func kidAt(n *node, top, level, i int) *node {
	switch {
	case n == nil || top < level && i > 0:
		return nil
	case top < level:
		return n
	}
	return n.kids[i]
}

func objectAt(n *node, i int) *Object {
	if n == nil {
		return nil
	}
	return n.objs[i]
}

// AppendContent appends what o holds and then, which may be nil, does not, so that two
// objects of one address append the same only if they hold the same. It needs value,
// which says what a symbolic byte is: a byte, or a number of its own for each expression.
func (o *Object) AppendContent(buf []byte, then *Object, value func(Cell) (b byte, id uint64)) []byte {
	if then != nil && then.Info != o.Info {
		then = nil
	}
	for off := uint64(0); off < o.Size; off += PageSize {
		p, _ := o.pageAt(off)
		n := int(min(PageSize, o.Size-off))
		if then != nil {
			if q, _ := then.pageAt(off); p == q || p.plainly(q, n, o.Unset != nil) {
				continue
			}
		}
		buf = binary.LittleEndian.AppendUint64(buf, off)
		buf = binary.LittleEndian.AppendUint64(buf, p.starts)
		for i := range n {
			var cell Cell
			b := byte(0)
			switch {
			case o.Unset != nil && !p.has(i, 1):
				b, cell = o.Unset(o.Info, off+uint64(i))
			case p.symbolic(i, 1):
				cell = p.cell(i)
			case p.data != nil:
				b = p.data[i]
			}
			var id uint64
			if cell.E != nil {
				b, id = value(cell)
			}
			if id != 0 {
				buf = append(buf, 1, cell.K)
				buf = binary.LittleEndian.AppendUint64(buf, id)
			} else {
				buf = append(buf, 0, b)
			}
		}
	}
	return buf
}

// plainly reports whether two pages of n bytes hold the same numbers, and nothing else;
// where unset counts, also whether the same bytes were written.
func (p *page) plainly(q *page, n int, unset bool) bool {
	if p.sym|q.sym != 0 || unset && p.set != q.set || p.starts != q.starts {
		return false
	}
	for i := range n {
		if p.byteAt(i) != q.byteAt(i) {
			return false
		}
	}
	return true
}

func (p *page) byteAt(i int) byte {
	if p.data == nil {
		return 0
	}
	return p.data[i]
}
