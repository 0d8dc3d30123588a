package drivers_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
	"klabel/ktest"
	"klabel/label"
)

// What a driver gives stands alone: however far beyond its items a function reads, a replay sees it, and counts
// nothing.
func TestFarAccess(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "far.c")
	if err := os.WriteFile(file, []byte(`#include <labels.h>
int far(const short *p, const unsigned char *q, int i)
{
    int sum = 0;
    if (p != 0)
        sum += p[i];
    if (q != 0)
        sum += q[i];
    cov_label(sum < 70000, 1, "CC");
    return sum;
}
`), 0o666); err != nil {
		t.Fatal(err)
	}
	u := b.unit(t, file)
	d, err := drivers.Generate(u, drivers.Options{Function: "far"})
	if err != nil {
		t.Fatal(err)
	}
	driven, err := csource.Parse(context.Background(), file, d.Apply(u), b.options())
	if err != nil {
		t.Fatal(err)
	}
	pool := b.replayer(t, driven)
	size := map[string]int{"p": 8, "q": 4} // of four items
	for given := range size {
		for i := -3000; i <= 3000; i += 37 {
			if i == -3 {
				i = 3
			}
			test := &ktest.Test{}
			for _, name := range []string{"p", "q"} {
				if name != given {
					test.Objects = append(test.Objects, ktest.Object{Name: name, Data: []byte{0}})
					continue
				}
				test.Objects = append(test.Objects, ktest.Object{Name: name, Data: []byte{1}},
					ktest.Object{Name: name + "[]", Data: make([]byte, size[name])})
			}
			test.Objects = append(test.Objects, ktest.Object{Name: "i",
				Data: binary.LittleEndian.AppendUint32(nil, uint32(int32(i)))})
			v, err := pool.Replay(t.Context(), 0, test)
			if err != nil {
				t.Fatal(err)
			}
			if within := i >= 0 && i < 4; (v.Outcome == label.Normal) != within {
				t.Errorf("%s[%d]: %s %s", given, i, v.Outcome, v.Reason)
			}
		}
	}
}

// A program's own malloc is under test, and no drivers' to use.
func TestOwnMalloc(t *testing.T) {
	b := newBench(t)
	for before, heap := range map[string]bool{
		"": true, "void *malloc(unsigned long n) { (void)n; return 0; }\n": false} {
		c := b.driverOf(t, before+"int f(const int *p, int i) { return p[i] == 3; }").Text()
		if strings.Contains(c, "= malloc(sizeof *p_items)") != heap {
			t.Errorf("from malloc: want %v:\n%s", heap, c)
		}
	}
}
