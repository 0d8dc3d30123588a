package expr

import "sort"

// Builder makes expressions. The zero value is not usable; see NewBuilder.
type Builder struct {
	table  []*Expr // open addressing, a power of two in size
	used   int
	limit  int
	nextID uint64

	vars    []*Var
	varKeys map[varKey]*Var
	top     uint64 // next free position in the byte space
	sets    varSets

	yes, no *Expr
	ev      Evaluator

	recent [8]rewrites
	oldest int
}

type varKey struct {
	name string
	size int
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	b := &Builder{table: make([]*Expr, 1<<12), limit: 1 << 22, varKeys: make(map[varKey]*Var)}
	b.no = b.Const(1, 0)
	b.yes = b.Const(1, 1)
	return b
}

// SetLimit sets how many nodes the table may hold before those that were not
// asked for lately are forgotten. Forgotten nodes stay valid; they are only no
// longer found again.
func (b *Builder) SetLimit(nodes int) { b.limit = max(nodes, 1<<12) }

// Nodes returns the number of nodes in the table.
func (b *Builder) Nodes() int { return b.used }

// Var returns the variable of this name and size: the same one each time.
func (b *Builder) Var(name string, size int) *Var {
	key := varKey{name, size}
	if v := b.varKeys[key]; v != nil {
		return v
	}
	v := &Var{ID: uint32(len(b.vars)), Name: name, Size: size, base: b.top}
	b.top += uint64(size+7)/8*8 + 8 // a gap: bits of two variables are never neighbours
	b.vars = append(b.vars, v)
	b.varKeys[key] = v
	return v
}

// VarAt returns the variable that a position of the byte space belongs to, and
// the index in it.
func (b *Builder) VarAt(pos uint64) (*Var, int) {
	i := sort.Search(len(b.vars), func(i int) bool { return b.vars[i].base > pos }) - 1
	return b.vars[i], int(pos - b.vars[i].base)
}

// Const returns the constant v cut to a width.
func (b *Builder) Const(width int, v uint64) *Expr { return b.ConstValue(width, Value{Lo: v}) }

// ConstSigned returns the constant v, sign-extended or cut to a width.
func (b *Builder) ConstSigned(width int, v int64) *Expr {
	x := Value{Lo: uint64(v)}
	if v < 0 {
		x.Hi = ^uint64(0)
	}
	return b.ConstValue(width, x)
}

// Const128 returns the constant hi:lo cut to a width.
func (b *Builder) Const128(width int, lo, hi uint64) *Expr { return b.ConstValue(width, Value{lo, hi}) }

// ConstValue returns the constant v cut to a width.
func (b *Builder) ConstValue(width int, v Value) *Expr {
	v = v.Mask(width)
	return b.intern(Expr{op: OpConst, width: uint8(width), lo: v.Lo, hi: v.Hi})
}

// Bool returns a constant of width 1.
func (b *Builder) Bool(v bool) *Expr {
	if v {
		return b.yes
	}
	return b.no
}

// True and False are the constants of width 1.
func (b *Builder) True() *Expr  { return b.yes }
func (b *Builder) False() *Expr { return b.no }

// Byte returns byte i of a variable.
func (b *Builder) Byte(v *Var, i int) *Expr { return b.Read(v, i, 1) }

// Read returns n consecutive bytes of a variable, the first one lowest (little
// endian); n is at most 16.
func (b *Builder) Read(v *Var, i, n int) *Expr {
	return b.leaf((v.base+uint64(i))*8, n*8)
}

func (b *Builder) leaf(pos uint64, width int) *Expr {
	e := Expr{op: OpLeaf, width: uint8(width), lo: pos}
	return b.intern(e)
}

// mix is a cheap avalanche of two words.
func mix(h, v uint64) uint64 {
	h ^= v
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

func (b *Builder) hashOf(e *Expr) uint32 {
	h := mix(uint64(e.op)<<16|uint64(e.width)<<8|uint64(e.low), 0x51ed27)
	if e.x == nil {
		h = mix(mix(h, e.lo), e.hi)
	} else {
		h = mix(h, e.x.id)
		if e.y != nil {
			h = mix(h, e.y.id)
			if e.z != nil {
				h = mix(h, e.z.id)
			}
		}
	}
	return uint32(h>>32) ^ uint32(h)
}

// intern returns the node equal to e, making it if need be.
func (b *Builder) intern(e Expr) *Expr {
	h := b.hashOf(&e)
	m := uint32(len(b.table) - 1)
	i := h & m
	for ; b.table[i] != nil; i = (i + 1) & m {
		o := b.table[i]
		if o.hash == h && o.op == e.op && o.width == e.width && o.low == e.low && o.x == e.x && o.y == e.y &&
			o.z == e.z &&
			(e.x != nil || o.lo == e.lo && o.hi == e.hi) {
			o.flags |= flagTouched
			return o
		}
	}
	n := new(Expr)
	*n = e
	n.hash = h
	n.id = b.nextID
	b.nextID++
	b.finish(n)
	b.table[i] = n
	b.used++
	if b.used*4 > len(b.table)*3 {
		b.resize()
	}
	return n
}

// finish computes what is derived from the operands.
func (b *Builder) finish(n *Expr) {
	switch {
	case n.op == OpConst:
		return
	case n.op == OpLeaf:
		n.vars = b.sets.intern([]span{{n.lo / 8, (n.lo + uint64(n.width) + 7) / 8}})
		return
	}
	n.vars = n.x.vars
	float := n.x.flags
	if n.y != nil {
		n.vars = b.sets.union(n.vars, n.y.vars)
		float |= n.y.flags
		if n.z != nil {
			n.vars = b.sets.union(n.vars, n.z.vars)
			float |= n.z.flags
		}
	}
	n.flags |= float & flagFloat
	if n.IsFloat() {
		n.flags |= flagFloat
	}
	if n.op == OpIte && n.y.constTree() && n.z.constTree() {
		n.flags |= flagConstTree
	}
	if n.width <= 64 {
		n.lo, n.hi = rangeOf(n)
	}
}

func (e *Expr) constTree() bool { return e.op == OpConst || e.flags&flagConstTree != 0 }

// resize grows the table, or trims it when it holds more than its limit.
func (b *Builder) resize() {
	old := b.table
	trim := b.used > b.limit
	if !trim {
		b.table = make([]*Expr, len(old)*2)
	} else {
		b.table = make([]*Expr, len(old))
	}
	m := uint32(len(b.table) - 1)
	b.used = 0
	for _, e := range old {
		if e == nil {
			continue
		}
		if trim {
			if e.flags&flagTouched == 0 && e != b.yes && e != b.no {
				continue
			}
			e.flags &^= flagTouched
		}
		i := e.hash & m
		for b.table[i] != nil {
			i = (i + 1) & m
		}
		b.table[i] = e
		b.used++
	}
	if trim && b.used*2 > len(b.table) { // nearly all are in use: trimming again at once would not help
		b.limit *= 2
	}
}
