package suite

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"klabel/input"
	"klabel/ktest"
)

// Simpler returns a test with as many zeros and numbers as small as it finds for which show still holds. Where a test
// is drawn or mutated, most of its inputs do not matter, and hide those that do.
//
// scalars says what objects consist of (input.Driver.Scalars). show runs a test and returns it with exactly the inputs
// that were asked for; false if it does not show any more what it is kept for. It is asked tries times at most, and
// not after ctx has ended.
func Simpler(ctx context.Context, t *ktest.Test, scalars map[string][]input.Scalar, tries int,
	show func(*ktest.Test) (whole *ktest.Test, same bool)) *ktest.Test {
	s := &simpler{ctx: ctx, test: t, scalars: scalars, show: show, left: tries}
	s.objects()
	for i := 0; i < len(s.test.Objects); i++ { // fewer as choices become 0
		s.object(i)
	}
	return s.test
}

type simpler struct {
	ctx     context.Context
	test    *ktest.Test
	scalars map[string][]input.Scalar
	show    func(*ktest.Test) (*ktest.Test, bool)
	left    int
}

func (s *simpler) over() bool { return s.left == 0 || s.ctx.Err() != nil }

// try takes another value for some bytes if the test shows the same with it.
func (s *simpler) try(change func(objects []ktest.Object)) bool {
	if s.over() {
		return false
	}
	x := *s.test
	x.Objects = slices.Clone(x.Objects)
	for i, o := range x.Objects {
		x.Objects[i].Data = bytes.Clone(o.Data)
	}
	change(x.Objects)
	alike := func(a, b ktest.Object) bool { return bytes.Equal(a.Data, b.Data) }
	if slices.EqualFunc(x.Objects, s.test.Objects, alike) {
		return false
	}
	s.left--
	whole, ok := s.show(&x)
	if !ok || len(whole.Objects) > len(s.test.Objects) { // what was not asked for before is nothing simpler
		return false
	}
	s.test = whole
	return true
}

// objects sets whole objects to 0: all, then halves, then quarters, ...
func (s *simpler) objects() {
	for some := len(s.test.Objects); some > 0; some /= 2 {
		for i := 0; i < len(s.test.Objects); i += some {
			if !slices.ContainsFunc(s.test.Objects[i:min(i+some, len(s.test.Objects))],
				func(o ktest.Object) bool { return nonzero(o.Data) }) {
				continue
			}
			s.try(func(objects []ktest.Object) {
				for _, o := range objects[i:min(i+some, len(objects))] {
					clear(o.Data)
				}
			})
		}
	}
}

// object makes the scalars of one object 0 where that is possible, the last first, for texts end there, and the others
// small.
func (s *simpler) object(i int) {
	o := s.test.Objects[i]
	if !nonzero(o.Data) {
		return
	}
	list := scalarsIn(o, s.scalars[o.Name])
	here := func(objects []ktest.Object) bool {
		return i < len(objects) && objects[i].Name == o.Name && len(objects[i].Data) == len(o.Data)
	}
	set := func(some []input.Scalar, value func(input.Scalar, []byte)) bool {
		return s.try(func(objects []ktest.Object) {
			if !here(objects) {
				return // what was asked for has changed
			}
			for _, x := range some {
				value(x, objects[i].Data[x.At:x.At+x.Size])
			}
		})
	}
	for some := len(list) / 2; some > 0; some /= 2 {
		for end := len(list); end > 0 && !s.over(); end -= some {
			part := list[max(end-some, 0):end]
			if !here(s.test.Objects) {
				return
			}
			if !slices.ContainsFunc(part, s.isNonzero(i)) {
				continue
			}
			set(part, func(_ input.Scalar, at []byte) { clear(at) })
		}
	}
	for _, x := range list {
		if s.over() || !here(s.test.Objects) {
			return
		}
		one := []input.Scalar{x}
		at := s.test.Objects[i].Data[x.At : x.At+x.Size]
		switch {
		case !nonzero(at):
		case x.Float:
			smallerFloat(x, at, func(b []byte) bool {
				return set(one, func(_ input.Scalar, at []byte) { copy(at, b) })
			})
		case x.Text && at[0] >= ' ' && at[0] <= '~':
		case x.Text && set(one, func(_ input.Scalar, at []byte) { at[0] = 'a' }):
		default:
			smaller(number(at, x.Signed), x.Signed, func(n int64) bool {
				return set(one, func(_ input.Scalar, at []byte) { put(at, n) })
			})
		}
	}
}

// isNonzero reports whether a scalar of the i-th object is not 0.
func (s *simpler) isNonzero(i int) func(input.Scalar) bool {
	data := s.test.Objects[i].Data
	return func(x input.Scalar) bool {
		return nonzero(data[x.At : x.At+x.Size])
	}
}

// small are numbers that are no riddle.
var small = []int64{1, 2, 3, 4, 8, 16, 64}

// smaller looks for a number nearer to 0: small ones, then ever nearer as long as one step is possible.
func smaller(n int64, signed bool, set func(int64) bool) {
	negative := signed && n < 0
	sign := int64(1)
	if negative {
		sign = -1
	}
	size := n * sign // less than 0 where 63 bits do not hold it
	low := int64(0)
	for _, x := range small {
		if x < size || size < 0 {
			if low = x; set(x) || negative && set(-x) {
				return
			}
		}
	}
	// A number that is compared with has no other that does.
	if size < 0 || !set(sign*(size-1)) {
		return
	}
	for high := size - 1; low+1 < high; {
		if middle := low + (high-low)/2; set(sign * middle) {
			high = middle
		} else {
			low = middle
		}
	}
}

// smallerFloat tries numbers that are no riddle, and whole ones.
func smallerFloat(x input.Scalar, at []byte, set func([]byte) bool) {
	bits := func(f float64) []byte {
		if x.Size == 4 {
			return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(f)))
		}
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(f))
	}
	var f float64
	switch x.Size {
	case 4:
		f = float64(math.Float32frombits(binary.LittleEndian.Uint32(at)))
	case 8:
		f = math.Float64frombits(binary.LittleEndian.Uint64(at))
	default:
		return
	}
	for _, y := range []float64{1, -1, 2, 0.5, math.Trunc(f)} {
		if f == y || set(bits(y)) {
			return
		}
	}
}

// scalarsIn are the parts of an object of which something is known and, if that is nothing, its bytes, or the number
// that it may be.
func scalarsIn(o ktest.Object, known []input.Scalar) (list []input.Scalar) {
	size := int64(len(o.Data))
	for _, x := range known {
		if x.At+x.Size <= size && (x.Float || x.Size <= 8) {
			list = append(list, x)
		}
	}
	if len(list) > 0 {
		return list
	}
	if size == 2 || size == 4 || size == 8 {
		return []input.Scalar{{Size: size, Signed: true}}
	}
	for i := range size {
		list = append(list, input.Scalar{At: i, Size: 1})
	}
	return list
}

// number reads little-endian bytes, as tests of this machine hold them.
func number(at []byte, signed bool) (n int64) {
	for i, b := range at {
		n |= int64(b) << (8 * i)
	}
	if shift := 64 - 8*len(at); signed {
		n = n << shift >> shift
	}
	return n
}

func put(at []byte, n int64) {
	for i := range at {
		at[i] = byte(n >> (8 * i))
	}
}

func nonzero(b []byte) bool {
	return slices.ContainsFunc(b, func(x byte) bool { return x != 0 })
}
