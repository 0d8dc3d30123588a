package objective

import (
	"math"
	"math/rand"
	"testing"
)

// What is said of two sets of values holds of each two values in them.
func TestDecided(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	var unsure, sure int
	for range 400 {
		gs := []Guard{{"a", relations[r.Intn(6)], "b"}, {"b", relations[r.Intn(6)], "-4"},
			{"7", relations[r.Intn(6)], "c"}, {"c", relations[r.Intn(6)], "a"}}
		sets := Integers([][]Guard{gs})
		for range 40 {
			value := map[string]int64{}
			for _, n := range []string{"a", "b", "c"} {
				value[n] = int64(r.Intn(30) - 15)
			}
			of := func(s string) (int64, Value) {
				if c, ok := Constant(s); ok {
					return c, Value{c, c}
				}
				var in []Value
				for _, v := range sets[s] {
					if v.Low <= value[s] && value[s] <= v.High {
						in = append(in, v)
					}
				}
				if len(in) != 1 {
					t.Fatalf("%v: %d is in %v of %v", gs, value[s], in, sets[s])
				}
				return value[s], in[0]
			}
			for _, g := range gs {
				a, x := of(g.Left)
				b, y := of(g.Right)
				want := map[string]bool{"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b,
					">=": a >= b}[g.Op]
				got, known := g.decided(x, y)
				if known && got != want || !known && !got {
					t.Fatalf("%v: %d and %d, of %v and %v: %v, %v", g, a, b, x, y, got, known)
				}
				if _, constant := Constant(g.Left); constant && !known {
					t.Fatalf("%v: %v is not told apart", g, y)
				}
				if known {
					sure++
				} else {
					unsure++
				}
			}
		}
	}
	if unsure == 0 || sure < unsure {
		t.Errorf("%d are decided, %d are not", sure, unsure)
	}
	if got := between([]int64{math.MinInt64, 4, math.MaxInt64}); len(got) != 5 || got[4].Low != math.MaxInt64 {
		t.Errorf("to the ends: %v", got)
	}
}
