package drivers

import (
	"slices"
	"strconv"

	"modernc.org/cc/v4"
)

// arena is how many bytes a function is given that makes an object in memory of its
// caller's.
const arena = 16 << 10

// window is how many bytes are given where nothing says how many there are.
const window = 64 << 10

// begunBytes is how many are given to what begins an object in memory of its caller's, a queue say, and is told how
// many there are: that decides when the object is full.
const begunBytes = 256

// memoryOf is C for the arguments, by place, of a function that makes an object in memory
// of its caller's: untyped memory that is not constant, and the number of its bytes. The
// object and all that calls put into it live there; of a few bytes nothing could be made.
func (b *builder) memoryOf(c preparation) map[int]string {
	if c.self >= 0 && !c.out && !c.begins {
		return nil
	}
	var params []param
	for k, p := range c.fn.Params {
		params = append(params, param{name: argument(p, k), typ: p.Type()})
	}
	var out map[int]string
	for k, p := range params {
		pt, ok := p.typ.(*cc.PointerType)
		_, given := c.with[k]
		plain := ok && (pt.Elem().Kind() == cc.Void || c.begins && pt.Elem().Kind() == cc.UChar)
		if !plain || given || k == c.self || isConst(pt.Elem()) {
			continue
		}
		n := b.countOf(c.fn, params, k)
		q := slices.IndexFunc(params, func(p param) bool { return p.name == n })
		if q < 0 && k+1 < len(params) && plainInteger(params[k+1].typ) && !cc.IsSignedInteger(params[k+1].typ) {
			if c.begins || c.fn.Def == nil || b.an.viewOf(c.fn, c.fn.Params[k].Name(), beforeDepth) != nil {
				q = k + 1 // what follows memory is its size, whatever it is called
			}
		}
		switch {
		case c.begins && q < 0: // it knows how much there must be: the window of what unpacks
			if out == nil {
				out = map[int]string{}
			}
			out[k] = "calloc(1, " + strconv.Itoa(window) + ")"
		case c.begins: // it is told how much there is: begunBytes
		case q >= 0:
			bytes := strconv.Itoa(arena)
			out = map[int]string{k: "calloc(1, " + bytes + ")", q: bytes}
		}
	}
	return out
}
