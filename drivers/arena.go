package drivers

import (
	"slices"
	"strconv"

	"modernc.org/cc/v4"
)

// arena is how many bytes a function is given that makes an object in memory of its
// caller's.
const arena = 16 << 10

// memoryOf is C for the arguments, by place, of a function that makes an object in memory
// of its caller's: untyped memory that is not constant, and the number of its bytes. The
// object and all that calls put into it live there; of a few bytes nothing could be made.
func (b *builder) memoryOf(c preparation) map[int]string {
	if c.self >= 0 && !c.out {
		return nil
	}
	var params []param
	for k, p := range c.fn.Params {
		params = append(params, param{name: argument(p, k), typ: p.Type()})
	}
	var out map[int]string
	for k, p := range params {
		pt, ok := p.typ.(*cc.PointerType)
		if _, given := c.with[k]; !ok || given || k == c.self || pt.Elem().Kind() != cc.Void || isConst(pt.Elem()) {
			continue
		}
		n := b.countOf(c.fn, params, k)
		q := slices.IndexFunc(params, func(p param) bool { return p.name == n })
		if q < 0 && k+1 < len(params) && plainInteger(params[k+1].typ) && !cc.IsSignedInteger(params[k+1].typ) {
			q = k + 1 // what follows memory is its size, whatever it is called
		}
		if q >= 0 {
			bytes := strconv.Itoa(arena)
			out = map[int]string{k: "calloc(1, " + bytes + ")", q: bytes}
		}
	}
	return out
}
