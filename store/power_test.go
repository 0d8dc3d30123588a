package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"klabel/label"
	"klabel/store"
	"klabel/store/storetest"
)

// Images of the disk after a power loss, by a model of a file system: what was
// synced is there; of what was written since, any part of the pages; and of files
// that nobody syncs, such as those of tests, any beginning, or zeros, or nothing.
func TestPowerLoss(t *testing.T) {
	dir := t.TempDir()
	s := storetest.Open(t, dir, store.Options{})
	const n = 60
	if err := s.SetLabels(labels(n)); err != nil {
		t.Fatal(err)
	}
	synced := [][]byte{read(t, dir)} // after so many tests
	for i := 1; i <= n; i++ {
		r := result(fmt.Sprintf("t%d", i), label.ID(i))
		r.File = filepath.Join(dir, "tests", r.Name)
		r.Data = bytes.Repeat([]byte{byte(i)}, 100*i)
		record(t, s, r)
		synced = append(synced, read(t, dir))
	}
	s.Close()

	images := 100
	if os.Getenv("KLABEL_SOAK") != "" {
		images = 2000
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range images {
		i := rng.IntN(n)
		image := filepath.Join(t.TempDir(), "image")
		if err := os.MkdirAll(filepath.Join(image, "tests"), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(image, "klabel.db"), torn(rng, synced[i], synced[i+1]))
		for k := 1; k <= i; k++ {
			path, data := filepath.Join(image, "tests", fmt.Sprintf("t%d", k)), bytes.Repeat([]byte{byte(k)}, 100*k)
			switch rng.IntN(4) {
			case 0: // never came to be
			case 1:
				write(t, path, data[:rng.IntN(len(data))])
			case 2:
				write(t, path, make([]byte, len(data)))
			case 3:
				write(t, path, data)
			}
		}
		s, err := store.Open(image, store.Options{})
		if err != nil {
			t.Fatalf("after %d tests: %v", i, err)
		}
		storetest.Check(t, s)
		if r := s.Repairs(); len(r.Lost)+len(r.Uncovered) > 0 {
			t.Errorf("after %d tests: %+v", i, r)
		}
		for k := 1; k <= i; k++ {
			if st, _ := s.Status(label.ID(k)); st.Status != label.Covered {
				t.Errorf("after %d tests: label %d is %v", i, k, st.Status)
			}
			if b, err := os.ReadFile(filepath.Join(image, "tests", fmt.Sprintf("t%d", k))); err != nil ||
				len(b) != 100*k || b[0] != byte(k) {
				t.Errorf("after %d tests: the file of test %d has %d bytes: %v", i, k, len(b), err)
			}
		}
		s.Close()
		os.RemoveAll(image)
	}
}

// torn is a file of which some pages of the next version have reached the disk,
// but not the one that makes them count: that is written when they are synced.
func torn(rng *rand.Rand, old, next []byte) []byte {
	size := os.Getpagesize()
	out := slices.Clone(old)
	for at := 2 * size; at+size <= len(next); at += size {
		if rng.IntN(2) == 0 {
			continue
		}
		for len(out) < at+size {
			out = append(out, make([]byte, size)...)
		}
		copy(out[at:at+size], next[at:])
	}
	return out
}

func read(t *testing.T, dir string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "klabel.db"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}
