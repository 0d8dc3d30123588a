package native

import (
	"encoding/binary"
	"path/filepath"
	"testing"
	"time"

	"klabel/engine"
	"klabel/ktest"
)

// A test that another engine has found is followed, whether it is there at the
// beginning or comes while the slice runs; the next slice knows nothing of it.
func TestSeeds(t *testing.T) {
	const key = 0x12345677
	seed := (&ktest.Test{Objects: []ktest.Object{{Name: "x", Data: binary.LittleEndian.AppendUint32(nil, key)},
		{Name: "y", Data: make([]byte, 4)}}}).Bytes()
	ll := writeC(t, `
int klee_int(const char *); int klabel_wants(int); void klabel_label(int, int);
int main(void) {
    unsigned long x = (unsigned)klee_int("x"), b = x * x * x, e = b * 11400714819323198485ul >> 29 ^ b;
    int y = klee_int("y");
    if (e * e == 0xf7115d57cd7d6424ul && y == 7)
        if (klabel_wants(2)) klabel_label(2, 1);
    unsigned rounds = 0;
    while (klee_int("more")) rounds++;
    return rounds == 7;
}`)
	e := newEngine(t)
	for name, early := range map[string]bool{"at the beginning": true, "meanwhile": false} {
		o := engine.Options{Mode: engine.Greybox, SolverBudget: time.Millisecond, Budget: 20 * time.Second}
		if early {
			o.Seeds = [][]byte{[]byte("no test"), seed}
		}
		r := start(t, e, engine.Program{Files: []string{ll}}, o)
		if !early {
			for r.Progress().Paths == 0 && len(r.ended) == 0 {
				time.Sleep(5 * time.Millisecond)
			}
			r.Seed(seed)
		}
		found := func() bool { return len(labelTests(t, r.Dir())) > 0 }
		for begin := time.Now(); !found() && time.Since(begin) < 15*time.Second; {
			time.Sleep(5 * time.Millisecond)
		}
		r.Stop()
		if _, err := r.Wait(); err != nil {
			t.Fatal(err)
		}
		if rep, err := readReport(r.Dir()); !found() || err != nil || rep.Seeds != 1 {
			t.Errorf("%s: %+v %v", name, rep, err)
		}
	}
	r := start(t, e, engine.Program{Files: []string{ll}}, engine.Options{Mode: engine.Greybox,
		SolverBudget: time.Millisecond, Budget: time.Second / 2})
	if _, err := r.Wait(); err != nil || len(labelTests(t, r.Dir())) > 0 {
		t.Errorf("without a seed: %v %v", labelTests(t, r.Dir()), err)
	}
}

func labelTests(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.assert.err"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
