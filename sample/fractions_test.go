package sample

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"klabel/input"
	"klabel/ktest"
)

// TestFractions holds drawn numbers to what programs ask of such: small ones, the program's own and what lies beside
// them, two inputs that are equal, none that can be reckoned with; and all bytes beside them stay.
func TestFractions(t *testing.T) {
	double := &input.Type{Kind: input.Float, Size: 8, Decl: "double @"}
	whole := &input.Type{Kind: input.Struct, Size: 24, Fields: []input.Field{
		{Name: "n", Type: &input.Type{Kind: input.Int, Size: 4}}, {Name: "y", Type: double, Offset: 8},
		{Name: "f", Type: &input.Type{Kind: input.Float, Size: 4}, Offset: 16}}}
	d := &input.Driver{Inputs: []*input.Input{{Name: "x", Object: "x", Type: double},
		{Name: "p", Object: "p", Type: &input.Type{Kind: input.Pointer, Size: 8},
			Targets: []input.Target{{Value: &input.Input{Name: "*p", Object: "*p", Type: whole}}}}}}
	s := &Sampler{rnd: rand.New(rand.NewPCG(1, 2))}
	s.Fractions(d.Fractions(), &Constants{Fractions: []float64{12.5}})
	x, p := make([]byte, 8), make([]byte, 24)
	p[0], p[20] = 7, 9
	both := []ktest.Object{{Name: "x", Data: x}, {Name: "*p", Data: p}}
	small, known, beside, equal, none := 0, 0, 0, 0, 0
	for range 2000 {
		s.fraction("x", x, both)
		s.fraction("*p", p, both)
		a := math.Float64frombits(binary.LittleEndian.Uint64(x))
		b := math.Float64frombits(binary.LittleEndian.Uint64(p[8:]))
		if math.Abs(a) <= 10 && a != 0 && a == math.Trunc(a) {
			small++
		}
		if a == 12.5 || a == -12.5 {
			known++
		}
		if a == math.Nextafter(12.5, 13) {
			beside++
		}
		if a == b && a != 0 {
			equal++
		}
		if math.IsNaN(a) || math.IsInf(a, 0) {
			none++
		}
		if p[0] != 7 || p[20] != 9 {
			t.Fatal("other bytes changed")
		}
	}
	for name, n := range map[string]int{"small": small, "known": known, "beside": beside, "equal": equal,
		"none": none} {
		if n < 10 {
			t.Errorf("%s: %d of 2000", name, n)
		}
	}
}

// TestExtended: the numbers of x86's 80 bits are what they are as doubles.
func TestExtended(t *testing.T) {
	for _, x := range []float64{0, 1, -2.5, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-1000} {
		b := make([]byte, 16)
		putExtended(b, x)
		exponent, m := binary.LittleEndian.Uint16(b[8:]), binary.LittleEndian.Uint64(b)
		got := math.Ldexp(float64(m>>11), int(exponent&0x7fff)-16383-52)
		switch {
		case exponent&0x7fff == 0x7fff && m<<1 == 0:
			got = math.Inf(1)
		case exponent&0x7fff == 0x7fff:
			got = math.NaN()
		}
		if exponent&0x8000 != 0 {
			got = -got
		}
		if got != x && !(math.IsNaN(got) && math.IsNaN(x)) {
			t.Errorf("%v is written as %v", x, got)
		}
	}
}
