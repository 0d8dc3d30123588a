package cluster

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"klabel/label"
	"klabel/liveview"
)

// TestMerge holds a worker's view against the store's, with updates that are lost,
// twice and out of order; a whole one is fetched when the worker asks for it.
func TestMerge(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		now := make([]byte, 1+r.IntN(2000))
		f := &feed{epoch: "e"}
		v := newView()
		if v.merge(f.next(now)) {
			t.Fatal("asks for the whole view with the first one there")
		}
		file, err := v.file(filepath.Join(t.TempDir(), "view"))
		if err != nil {
			t.Fatal(err)
		}
		var waiting []*Update
		deliver := func(u *Update) {
			if v.merge(u) {
				v.merge(f.whole())
			}
		}
		for range 60 {
			for range 1 + r.IntN(20) {
				switch id := r.IntN(len(now)); r.IntN(4) {
				case 0:
					now[id] = byte(label.Refused)
				case 1:
					if label.Status(now[id]) == label.Refused { // taken back
						now[id] = byte(label.Unknown)
					}
				default:
					now[id] = byte(label.Covered)
				}
			}
			for id := range now { // what is covered stays so
				if label.Status(f.last[id]) == label.Covered {
					now[id] = byte(label.Covered)
				}
			}
			u := f.next(now)
			if u == nil {
				continue
			}
			switch r.IntN(5) {
			case 0: // lost
			case 1:
				waiting = append(waiting, u)
			case 2:
				deliver(u)
				deliver(u)
			default:
				deliver(u)
			}
			for id, s := range v.status {
				if label.Status(s) == label.Covered && label.Status(now[id]) != label.Covered {
					t.Fatalf("seed %d: label %d is covered for the worker alone", seed, id)
				}
			}
		}
		r.Shuffle(len(waiting), func(i, j int) { waiting[i], waiting[j] = waiting[j], waiting[i] })
		for _, u := range waiting {
			deliver(u)
		}
		if now[0] = byte(label.Infeasible); label.Status(f.last[0]) == label.Infeasible {
			now[0] = byte(label.Refused)
		}
		deliver(f.next(now))
		if !slices.Equal(v.status, now) {
			t.Fatalf("seed %d: views differ in the end", seed)
		}
		if got := file.mem[liveview.Header : liveview.Header+len(now)]; !slices.Equal(got, now) {
			t.Fatalf("seed %d: the engine's view differs in the end", seed)
		}
		v.drop(file)
	}
}

// TestPendingStays checks that an engine's mark goes when its test is judged, not
// before.
func TestPendingStays(t *testing.T) {
	f, err := newViewFile(filepath.Join(t.TempDir(), "view"), make([]byte, 10))
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	f.mem[liveview.Header+4] = byte(label.Pending)
	f.set(4, label.Unknown)
	if label.Status(f.mem[liveview.Header+4]) != label.Pending {
		t.Error("a pending label was opened")
	}
	f.set(4, label.Refused)
	if label.Status(f.mem[liveview.Header+4]) != label.Refused {
		t.Error("a refused label is not open")
	}
}

// FuzzUpdate reads updates that nobody wrote.
func FuzzUpdate(f *testing.F) {
	f.Add([]byte{0, 1}, []byte{2, 3, 1}, 300)
	f.Fuzz(func(t *testing.T, pages, runs []byte, n int) {
		newView().merge(&Update{Epoch: "e", Gen: 1, Whole: true, Labels: n, Pages: pages, Runs: runs})
	})
}

// TestSecret checks that a secret is made once, for its owner alone, and that what is
// none is refused.
func TestSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x", "secret")
	a, err := makeSecret(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := makeSecret(path)
	if err != nil || a.token != b.token || len(a.token) < 32 {
		t.Errorf("second reading: %v, %v", b, err)
	}
	for _, p := range []string{path, path + ".key"} {
		if st, err := os.Stat(p); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", p, st.Mode(), err)
		}
	}
	if _, err := a.server(); err != nil {
		t.Error(err)
	}
	os.WriteFile(path, []byte("hello"), 0o600)
	if _, err := readSecret(path); err == nil {
		t.Error("a file without a token is a secret")
	}
}
