package ieee

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// corner returns an encoding that is likely to be special.
func corner(r *rand.Rand, f Format) Bits {
	frac := Bits{r.Uint64(), r.Uint64()}
	switch r.IntN(6) {
	case 0:
		frac = Bits{}
	case 1:
		frac = Bits{^uint64(0), ^uint64(0)}
	case 2:
		frac = Bits{Lo: 1}
	case 3:
		frac = frac.shl(uint(f.Precision() / 2))
	}
	exp := r.Uint64() & f.top()
	switch bias := uint64(f.Bias()); r.IntN(8) {
	case 0:
		exp = 0
	case 1:
		exp = f.top()
	case 2:
		exp = 1 + r.Uint64N(2)
	case 3, 4, 5:
		exp = min(bias-4+r.Uint64N(uint64(f.Precision())+8), f.top())
	case 6:
		exp = f.top() - 1 - r.Uint64N(3)
	}
	return f.make(r.IntN(2) == 0, exp, frac.mask(f.Precision()-1))
}

// generic computes without the shortcuts for float and double.
func generic(op string, f Format, x, y, z Bits) Bits {
	a, b := f.unpack(x), f.unpack(y)
	if r, ok := f.quiet(a, b); ok {
		return r
	}
	switch op {
	case "add":
		return f.addNumbers(a, b)
	case "mul":
		if p := product(a, b); p.kind == isNaN {
			return f.NaN()
		} else {
			return f.addNumbers(p, number{kind: isZero, neg: p.neg})
		}
	}
	return f.FMA(x, y, z)
}

// TestMachine compares with the processor: Go's float32 and float64.
func TestMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	same := func(op string, got, want Bits, in ...Bits) {
		t.Helper()
		if got != want {
			t.Fatalf("%s of %x is %x, not %x", op, in, got.Lo, want.Lo)
		}
	}
	for range 200000 {
		x, y, z := corner(r, Double), corner(r, Double), corner(r, Double)
		same("add", generic("add", Double, x, y, z), Double.Add(x, y), x, y)
		same("to float", Double.Convert(x, Single), Double.convert(x, Single), x)
		same("to itself", Double.Convert(x, Double), Double.convert(x, Double), x)
		same("mul", generic("mul", Double, x, y, z), Double.Mul(x, y), x, y)
		if !Double.IsNaN(x) && !Double.IsNaN(y) && !Double.IsNaN(z) {
			same("fma", Double.FMA(x, y, z), Double.invalid(of64(math.FMA(f64(x), f64(y), f64(z)))), x, y, z)
			same("rem", Double.Rem(x, y), Double.invalid(of64(math.Mod(f64(x), f64(y)))), x, y)
			same("sqrt", Double.Sqrt(x), Double.invalid(of64(math.Sqrt(f64(x)))), x)
			for m, f := range map[Mode]func(float64) float64{NearestEven: math.RoundToEven, NearestAway: math.Round,
				Up: math.Ceil, Down: math.Floor,
				TowardZero: math.Trunc} {
				same("rint", Double.Rint(x, m), of64(f(f64(x))), x)
			}
			same("narrow", Double.convert(x, Single), of32(float32(f64(x))), x)
			if d := f64(x); d > -1e18 && d < 1e18 {
				same("toint", Double.ToInt(x, 64, true), Bits{Lo: uint64(int64(d))}, x)
			}
			if d := f64(x); d >= 0 && d < 1.8e19 {
				same("touint", Double.ToInt(x, 64, false), Bits{Lo: uint64(d)}, x)
			}
			less, greater := f64(x) < f64(y), f64(x) > f64(y)
			if o := Double.Order(x, y); less != (o == -1) || greater != (o == 1) {
				t.Fatalf("order of %x and %x is %d", x, y, o)
			}
		}
		i := r.Uint64() >> r.IntN(64)
		same("fromint", Double.FromInt(Bits{Lo: i}, 64, true), of64(float64(int64(i))), Bits{Lo: i})
		same("fromuint", Double.FromInt(Bits{Lo: i}, 64, false), of64(float64(i)), Bits{Lo: i})
		same("fromint32", Single.FromInt(Bits{Lo: i & math.MaxUint32}, 32, true), of32(float32(int32(i))), Bits{Lo: i})
		same("fromuint to float", Single.FromInt(Bits{Lo: i}, 64, false), of32(float32(i)), Bits{Lo: i})
		x, y = corner(r, Single), corner(r, Single)
		same("addf", generic("add", Single, x, y, z), Single.Add(x, y), x, y)
		same("to double", Single.Convert(x, Double), Single.convert(x, Double), x)
		same("mulf", generic("mul", Single, x, y, z), Single.Mul(x, y), x, y)
		if !Single.IsNaN(x) {
			same("sqrtf", Single.Sqrt(x), Single.invalid(of32(float32(math.Sqrt(float64(f32(x)))))), x)
			same("widen", Single.convert(x, Double), of64(float64(f32(x))), x)
		}
	}
}

// machine is a C program that computes with long double, half and integers as
// the processor does, one operation a line of input.
const machine = `
#include <stdio.h>
#include <string.h>
#include <math.h>
typedef long double L;
static L get(unsigned long hi, unsigned long lo) { L x = 0; memcpy(&x, &lo, 8); memcpy((char *)&x + 8, &hi, 2); return x; }
static void put(L x) { unsigned long lo, hi = 0; memcpy(&lo, &x, 8); memcpy(&hi, (char *)&x + 8, 2); printf(" %lx:%lx", hi, lo); }
int main(void)
{
    unsigned long a, b, c, d;
    while (scanf("%lx:%lx %lx:%lx", &a, &b, &c, &d) == 4) {
        volatile L x = get(a, b), y = get(c, d), q;
        double s; float f; unsigned long u;
        q = x + y; put(q); q = x - y; put(q); q = x * y; put(q); q = x / y; put(q);
        q = sqrtl(x); put(q); q = floorl(x); put(q); q = ceill(x); put(q); q = rintl(x); put(q); q = truncl(x); put(q);
        q = fmodl(x, y); put(q);
        s = (double)x; memcpy(&u, &s, 8); printf(" 0:%lx", u);
        u = 0; f = (float)x; memcpy(&u, &f, 4); printf(" 0:%lx", u);
        q = (L)(long)b; put(q); q = (L)b; put(q);
        printf(" 0:%lx 0:%lx", x > -9e18L && x < 9e18L ? (unsigned long)(long)x : 0, x >= 0 && x < 18e18L ? (unsigned long)x : 0);
        printf(" 0:%x\n", x < y ? 1 : x > y ? 2 : x == y ? 0 : 3);
    }
}
`

// TestLongDouble compares with the x87, through a C program.
func TestLongDouble(t *testing.T) {
	cc, err := exec.LookPath("clang")
	if err != nil {
		t.Skip("no clang")
	}
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "m.c"), filepath.Join(dir, "m")
	if err := os.WriteFile(src, []byte(machine), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-w", "-O0", src, "-o", bin, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	r := rand.New(rand.NewPCG(2, 1))
	var in bytes.Buffer
	var pairs [][2]Bits
	for range 20000 {
		p := [2]Bits{corner(r, X87), corner(r, X87)}
		if X87.IsNaN(p[0]) && X87.IsNaN(p[1]) { // the x87 takes the larger one
			continue
		}
		pairs = append(pairs, p)
		fmt.Fprintf(&in, "%x:%x %x:%x\n", p[0].Hi, p[0].Lo, p[1].Hi, p[1].Lo)
	}
	cmd := exec.Command(bin)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(pairs) {
		t.Fatalf("%d answers to %d questions", len(lines), len(pairs))
	}
	for i, p := range pairs {
		x, y, f := p[0], p[1], X87
		order := Bits{Lo: map[int]uint64{-1: 1, 1: 2, 0: 0, 2: 3}[f.Order(x, y)]}
		var toInt, toUint Bits
		if d := f64(f.Convert(x, Double)); d > -9e18 && d < 9e18 {
			toInt = f.ToInt(x, 64, true)
		}
		if d := f64(f.Convert(x, Double)); f.Order(x, f.Zero(false)) != 2 && d >= 0 && d < 18e18 {
			toUint = f.ToInt(x, 64, false)
		}
		b := Bits{Lo: x.Lo}
		want := []Bits{f.Add(x, y), f.Sub(x, y), f.Mul(x, y), f.Div(x, y), f.Sqrt(x), f.Rint(x, Down), f.Rint(x, Up),
			f.Rint(x, NearestEven),
			f.Rint(x, TowardZero), f.Rem(x, y), f.Convert(x, Double), f.Convert(x, Single), f.FromInt(b, 64, true),
			f.FromInt(b, 64, false),
			toInt, toUint, order}
		for j, s := range bytes.Fields(lines[i]) {
			var got Bits
			if _, err := fmt.Sscanf(string(s), "%x:%x", &got.Hi, &got.Lo); err != nil {
				t.Fatal(err)
			}
			if got != want[j] {
				t.Errorf("operation %d on %x and %x: the machine gives %x, not %x", j, x, y, got, want[j])
			}
		}
		if t.Failed() {
			return
		}
	}
}
