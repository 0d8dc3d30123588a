package exec

import (
	"math"
	"math/rand/v2"
	"testing"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// TestFits holds the range of a conversion against arithmetic on doubles, at its
// ends and at random.
func TestFits(t *testing.T) {
	b := expr.NewBuilder()
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range []ieee.Format{ieee.Half, ieee.Single, ieee.Double} {
		for _, w := range []int{8, 16, 32, 64} {
			for _, signed := range []bool{false, true} {
				low, high := 0.0, math.Ldexp(1, w)
				if signed {
					low, high = -math.Ldexp(1, w-1), math.Ldexp(1, w-1)
				}
				for range 300 {
					d := []float64{low, high, low - 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0,
						(r.Float64() - 0.5) * 4 * high}[r.IntN(9)]
					v := ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(d)}, f)
					v.Lo += uint64(r.IntN(3)) // neighbours
					v.Lo -= uint64(r.IntN(3))
					v.Lo &= 1<<f.Width() - 1
					x := math.Float64frombits(f.Convert(v, ieee.Double).Lo)
					want := math.Trunc(x) >= low && math.Trunc(x) < high
					got := fits(b, f, b.ConstValue(f.Width(), expr.Value(v)), w, signed)
					if !got.IsConst() || got.IsTrue() != want {
						t.Fatalf("%v to %d bits, signed %v: %v, want %v", x, w, signed, got, want)
					}
				}
			}
		}
	}
}
