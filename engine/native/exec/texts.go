package exec

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
)

// Functions of the C library that look at texts, without a path for each byte. What
// strcmp and its like return is a formula over the bytes, where these end for certain
// within their objects; in all other cases the library's own code runs, and forks. It
// does, too, where the result decides an address, a loop, a switch or a call: there a
// path does better with numbers (code.Func.ResultOf).
//
// A result is as exact as the code's: the sign of strcmp's is known, its size is not.

// maxText bounds the bytes that a formula is about.
const maxText = 256

// summary sets the result of a call, or reports false: then nothing has happened.
type summary func(*Engine, *State, *callContext) bool

var summaries = map[string]summary{
	"strcmp":      compareTexts(false, true, false),
	"strncmp":     compareTexts(true, true, false),
	"strcasecmp":  compareTexts(false, true, true),
	"strncasecmp": compareTexts(true, true, true),
	"memcmp":      compareTexts(true, false, false),
	"bcmp":        compareTexts(true, false, false),
	"strlen":      searchText(searched{ends: true, length: true}),
	"strnlen":     searchText(searched{ends: true, length: true, limited: true}),
	"strchr":      searchText(searched{ends: true, char: true}),
	"memchr":      searchText(searched{char: true, limited: true}),
}

// bytesFrom reads bytes one after another, from a place that is known.
type bytesFrom struct {
	ex  *Engine
	st  *State
	o   *memory.Object
	off uint64
}

// bytesAt is nil where it is not known which bytes a pointer leads to.
func (ex *Engine) bytesAt(st *State, p Value) *bytesFrom {
	a, ok := concreteValue(p)
	if !ok {
		e := st.cons.Simplify(ex.b, p.E)
		if !e.IsConst() {
			return nil
		}
		a = e.Value()
	}
	o := ex.find(st, a.Lo)
	if o == nil || a.Lo-o.Base > o.Size {
		return nil
	}
	return &bytesFrom{ex, st, o, a.Lo - o.Base}
}

// left is how many bytes there are.
func (f *bytesFrom) left() uint64 { return f.o.Size - f.off }

// at is byte i, nil where there is none or it was never set.
func (f *bytesFrom) at(i int) *expr.Expr {
	at := f.off + uint64(i)
	if at >= f.o.Size || f.o.Unwritten(at, 1) > 0 {
		return nil
	}
	return f.st.cons.Simplify(f.ex.b, f.o.Expr(f.ex.b, at, 1))
}

// limit is the number that an argument gives; ok is false where it is none.
func (c *callContext) limit(i int) (n uint64, ok bool) {
	v, ok := concreteValue(c.arg(i))
	return v.Lo, ok
}

// returns reports whether the caller takes it that the result has so many bits.
func (c *callContext) returns(bits int) bool {
	return len(c.site.RetTypes) == 1 && c.site.RetTypes[0].Width() == bits
}

// isZero reports whether a byte is 0 for certain.
func isZero(e *expr.Expr) bool { return e.IsConst() && e.Uint64() == 0 }

// compareTexts is strcmp and its like; limited: the third argument is the most bytes;
// ends: nothing behind a 0 is looked at; fold: in any case of letters.
func compareTexts(limited, ends, fold bool) summary {
	return func(ex *Engine, st *State, c *callContext) bool {
		x, y := ex.bytesAt(st, c.arg(0)), ex.bytesAt(st, c.arg(1))
		n, ok := uint64(maxText), true
		if limited {
			n, ok = c.limit(2)
		}
		if x != nil && y != nil {
			m := n
			if !ok || !limited {
				m = max(x.o.Size, y.o.Size)
			}
			ex.comparesPieces(st, x, y, m, ends)
		}
		if x == nil || y == nil || !ok || !ends && (n > maxText || n > min(x.left(), y.left())) || !c.returns(32) {
			return false
		}
		type pair struct{ x, y *expr.Expr }
		var pairs []pair
		for i, over := 0, false; !over; i++ {
			if over = limited && uint64(i) == n; over {
				break
			}
			p := pair{x.at(i), y.at(i)}
			if p.x == nil || p.y == nil || i == maxText {
				return false
			}
			if fold {
				p = pair{ex.folded(p.x), ex.folded(p.y)}
			}
			pairs = append(pairs, p)
			over = ends && (isZero(p.x) || isZero(p.y)) || p.x.IsConst() && p.y.IsConst() && p.x != p.y
		}
		b := ex.b
		same, less := b.True(), b.False()
		for i := len(pairs) - 1; i >= 0; i-- {
			p := pairs[i]
			eq := b.Eq(p.x, p.y)
			more := b.True() // bytes behind these are looked at
			if ends && !(p.x.IsConst() && !isZero(p.x)) && !(p.y.IsConst() && !isZero(p.y)) {
				more = b.Ne(p.x, b.Const(8, 0))
			}
			same = b.And(eq, b.Or(b.Not(more), same))
			less = b.Or(b.Ult(p.x, p.y), b.And(eq, b.And(more, less)))
		}
		return ex.setSign(st, c, same, less)
	}
}

// folded is a byte as tolower has it.
func (ex *Engine) folded(e *expr.Expr) *expr.Expr {
	b := ex.b
	upper := b.Ult(b.Sub(e, b.Const(8, 'A')), b.Const(8, 26))
	return b.Ite(upper, b.Add(e, b.Const(8, 32)), e)
}

// setSign sets the result of a comparison.
func (ex *Engine) setSign(st *State, c *callContext, same, less *expr.Expr) bool {
	use := st.top.fn.ResultOf(st.top.pc - 1)
	if !same.IsConst() || same.IsFalse() && !less.IsConst() {
		if !ex.o.Merge || !use.Plain {
			return false
		}
		ex.stats.Merged++
	}
	b := ex.b
	difference := b.Ite(same, b.Const(32, 0), b.Ite(less, b.Const(32, 1<<32-1), b.Const(32, 1)))
	if use.Zero { // nobody sees more of it
		st.occurrence(unknownName(4))
		c.set(ex, fromExpr(difference))
		return true
	}
	c.set(ex, ex.sign(st, difference))
	return true
}

// searched says what a function looks for.
type searched struct {
	ends    bool // a text, which ends with 0
	limited bool // the last argument is the most bytes
	char    bool // the second argument is looked for
	length  bool // the result is a number, not an address
}

// searchText is strlen and its like.
func searchText(s searched) summary {
	return func(ex *Engine, st *State, c *callContext) bool {
		text := ex.bytesAt(st, c.arg(0))
		n, ok := uint64(maxText), true
		if s.limited {
			n, ok = c.limit(c.count() - 1)
		}
		if text == nil || !ok || n > maxText && !s.ends || !c.returns(int(ex.ptr)) {
			return false
		}
		b := ex.b
		var char *expr.Expr
		if s.char {
			char = ex.expr(ex.resize(c.arg(1), c.width(1), 8), 8)
		}
		base := text.o.Base + text.off
		var found, ended []*expr.Expr // at each byte
		for i := 0; ; i++ {
			if s.limited && uint64(i) == n {
				break
			}
			x := text.at(i)
			if x == nil || i == maxText {
				return false
			}
			end, hit := b.False(), b.False()
			if s.ends {
				end = b.Eq(x, b.Const(8, 0))
			}
			if s.char {
				hit = b.Eq(x, char)
			}
			found, ended = append(found, hit), append(ended, end)
			if b.Or(hit, end).IsTrue() {
				break
			}
		}
		r := ex.number(0)
		if s.length {
			r = ex.number(uint64(len(found)))
		}
		for i := len(found) - 1; i >= 0; i-- {
			if s.length {
				r = b.Ite(ended[i], ex.number(uint64(i)), r)
				continue
			}
			r = b.Ite(found[i], ex.number(base+uint64(i)), b.Ite(ended[i], ex.number(0), r))
		}
		if !r.IsConst() {
			if !ex.o.Merge || !st.top.fn.ResultOf(st.top.pc-1).Compared {
				return false
			}
			ex.stats.Merged++
		}
		c.set(ex, fromExpr(r))
		return true
	}
}
