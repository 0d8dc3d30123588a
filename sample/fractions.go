package sample

import (
	"encoding/binary"
	"math"

	"klabel/input"
	"klabel/ktest"
)

// Fractions says which bytes of inputs are floating-point numbers. To draw their bits tells hardly any apart:
// nearly all such numbers are far too large or too small for what programs do with them.
func (s *Sampler) Fractions(of map[string][]input.Scalar, said *Constants) {
	s.fractions, s.known = of, said.Fractions
}

// fraction gives some of an object's numbers new values, or the one that there is.
func (s *Sampler) fraction(o string, data []byte, others []ktest.Object) {
	list := s.fractions[o]
	some := 1 + s.rnd.IntN(len(list))
	for range some {
		f := list[s.rnd.IntN(len(list))]
		if f.At+f.Size > int64(len(data)) {
			continue
		}
		at := data[f.At : f.At+f.Size]
		switch x := s.number(others); f.Size {
		case 4:
			binary.LittleEndian.PutUint32(at, math.Float32bits(float32(x)))
		case 8:
			binary.LittleEndian.PutUint64(at, math.Float64bits(x))
		case 16:
			putExtended(at, x)
		}
	}
}

// putExtended writes a number as x86's 80 bits, of which the highest of the fraction is told.
func putExtended(to []byte, x float64) {
	clear(to)
	b := math.Float64bits(x)
	exponent, sign := int(b>>52)&0x7ff, uint16(b>>48)&0x8000
	switch {
	case exponent == 0: // what is denormal is zero here
	case exponent == 0x7ff:
		binary.LittleEndian.PutUint64(to, 1<<63|b<<11)
		binary.LittleEndian.PutUint16(to[8:], sign|0x7fff)
		return
	default:
		binary.LittleEndian.PutUint64(to, 1<<63|b<<11)
		binary.LittleEndian.PutUint16(to[8:], sign|uint16(exponent-1023+16383))
		return
	}
	binary.LittleEndian.PutUint16(to[8:], sign)
}

// number draws one: small and whole, with a fraction, of the program's, another input's or its neighbour, large or
// small by powers of ten, or none that can be reckoned with.
func (s *Sampler) number(others []ktest.Object) float64 {
	switch s.rnd.IntN(10) {
	case 0:
		return 0
	case 1, 2:
		return float64(s.rnd.IntN(21) - 10)
	case 3:
		return float64(s.rnd.IntN(2000)-1000) / 8
	case 4, 5:
		if len(s.known) > 0 {
			x := s.known[s.rnd.IntN(len(s.known))]
			return s.near(x * float64(1-2*s.rnd.IntN(2)))
		}
	case 6, 7:
		var list []float64
		for _, o := range others {
			for _, f := range s.fractions[o.Name] {
				if f.At+f.Size > int64(len(o.Data)) {
					continue
				}
				switch at := o.Data[f.At:]; f.Size {
				case 4:
					list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(at))))
				case 8:
					list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(at)))
				}
			}
		}
		if len(list) > 0 {
			return s.near(list[s.rnd.IntN(len(list))])
		}
	case 8:
		return float64(s.rnd.IntN(199)-99) * math.Pow10(s.rnd.IntN(61)-30)
	case 9:
		edges := []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64,
			math.MaxFloat32, math.Copysign(0, -1), 0x1p31, 0x1p63}
		return edges[s.rnd.IntN(len(edges))]
	}
	return float64(s.rnd.IntN(256))
}

// near is a number or one beside it.
func (s *Sampler) near(x float64) float64 {
	switch s.rnd.IntN(6) {
	case 0:
		return math.Nextafter(x, math.Inf(1))
	case 1:
		return math.Nextafter(x, math.Inf(-1))
	case 2:
		return x + float64(1-2*s.rnd.IntN(2))
	}
	return x
}
