package store_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"klabel/label"
	"klabel/store"
	"klabel/store/storetest"
)

// withFiles records tests whose files are in the store's folder: a covers 1 and
// 2, b 2 and 3, c 3.
func withFiles(t *testing.T, dir string) {
	t.Helper()
	s := storetest.Open(t, dir, store.Options{})
	if err := s.SetLabels(labels(4)); err != nil {
		t.Fatal(err)
	}
	for name, hits := range map[string][]label.ID{"a": {1, 2}, "b": {2, 3}, "c": {3}} {
		r := result(name, hits...)
		r.File = filepath.Join(dir, "tests", name)
		record(t, s, r)
		if err := os.MkdirAll(filepath.Dir(r.File), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.File, r.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
}

func reopen(t *testing.T, dir string) (*store.Store, store.Repairs) {
	t.Helper()
	s := storetest.Open(t, dir, store.Options{})
	storetest.Check(t, s)
	return s, s.Repairs()
}

// forgetData removes or damages the data of all tests.
func forgetData(t *testing.T, dir string, damage bool) {
	t.Helper()
	db, err := bbolt.Open(filepath.Join(dir, "klabel.db"), 0o666, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte("data"))
		return b.ForEach(func(k, v []byte) error {
			if damage {
				return b.Put(k, append([]byte{v[0] + 1}, v[1:]...))
			}
			return b.Delete(k)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesOfTestsAreRestored(t *testing.T) {
	for what, hurt := range map[string]func(path string) error{
		"missing": os.Remove,
		"empty":   func(p string) error { return os.Truncate(p, 0) },
		"changed": func(p string) error { return os.WriteFile(p, []byte("data of x"), 0o666) },
		"a folder": func(p string) error {
			return errors.Join(os.Remove(p), os.Mkdir(p, 0o777), os.WriteFile(filepath.Join(p, "x"), nil, 0o666))
		},
		"a link": func(p string) error { return errors.Join(os.Remove(p), os.Symlink("/dev/null", p)) },
	} {
		dir := t.TempDir()
		withFiles(t, dir)
		path := filepath.Join(dir, "tests", "b")
		if err := hurt(path); err != nil {
			t.Fatal(err)
		}
		_, r := reopen(t, dir)
		if !slices.Equal(r.Restored, []string{path}) || len(r.Lost) > 0 {
			t.Errorf("%s: %+v", what, r)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != "data of b" {
			t.Errorf("%s: %q, %v", what, b, err)
		}
	}
}

// So are those that somebody removes while the store is open.
func TestFilesAreRestoredAtLast(t *testing.T) {
	dir := t.TempDir()
	withFiles(t, dir)
	s, _ := reopen(t, dir)
	if names, err := s.RestoreFiles(); len(names) > 0 || err != nil {
		t.Errorf("%q, %v", names, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "tests")); err != nil {
		t.Fatal(err)
	}
	if names, err := s.RestoreFiles(); len(names) != 3 || err != nil {
		t.Errorf("%q, %v", names, err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "tests", "b")); err != nil || string(b) != "data of b" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestTestsMoveWithTheirFolder(t *testing.T) {
	old := filepath.Join(t.TempDir(), "old")
	withFiles(t, old)
	dir := filepath.Join(t.TempDir(), "new")
	if err := os.Rename(old, dir); err != nil {
		t.Fatal(err)
	}
	s, r := reopen(t, dir)
	if len(r.Restored)+len(r.Lost) > 0 {
		t.Errorf("%+v", r)
	}
	tests, err := s.Tests()
	if err != nil || len(tests) != 3 {
		t.Fatalf("%d tests, %v", len(tests), err)
	}
	for _, x := range tests {
		if x.File != filepath.Join(dir, "tests", x.Name) {
			t.Errorf("test %s is at %s", x.Name, x.File)
		}
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the old folder is there again")
	}
}

// The data is taken from the file where the store has lost it.
func TestDataIsTakenFromFiles(t *testing.T) {
	for _, damage := range []bool{false, true} {
		dir := t.TempDir()
		withFiles(t, dir)
		forgetData(t, dir, damage)
		s, r := reopen(t, dir)
		if len(r.Restored)+len(r.Lost) > 0 {
			t.Errorf("%+v", r)
		}
		s.Close()
		if err := os.RemoveAll(filepath.Join(dir, "tests")); err != nil {
			t.Fatal(err)
		}
		if _, r = reopen(t, dir); len(r.Restored) != 3 {
			t.Errorf("%+v", r)
		}
	}
}

// A label whose test is lost is covered by another, or not at all.
func TestLostTests(t *testing.T) {
	dir := t.TempDir()
	withFiles(t, dir)
	forgetData(t, dir, false)
	if err := os.Remove(filepath.Join(dir, "tests", "a")); err != nil {
		t.Fatal(err)
	}
	s, r := reopen(t, dir)
	if !slices.Equal(r.Lost, []string{"a"}) || !slices.Equal(r.Uncovered, []label.ID{1}) {
		t.Errorf("%+v", r)
	}
	if st := want(t, s, 1, label.Unknown); st.Reason == nil || !strings.Contains(st.Reason.Text, "lost") {
		t.Errorf("%+v", st)
	}
	want(t, s, 2, label.Covered)
	want(t, s, 3, label.Covered)
	s.Close()
	s, r = reopen(t, dir)
	if len(r.Lost) > 0 {
		t.Errorf("said twice: %+v", r)
	}
	if newly := record(t, s, result("d", 1)); !slices.Equal(newly, []label.ID{1}) {
		t.Errorf("newly covered: %v", newly)
	}
}

func TestDrop(t *testing.T) {
	dir := t.TempDir()
	withFiles(t, dir)
	s, _ := reopen(t, dir)
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	number := map[string]uint64{}
	var all []uint64
	for _, x := range snap.Tests {
		number[x.Name] = x.Number
		all = append(all, x.Number)
	}
	dropped, err := s.Drop([]uint64{number["b"]}, nil)
	if err != nil || !slices.Equal(dropped, []uint64{number["b"]}) {
		t.Fatalf("%v, %v", dropped, err)
	}
	for id, by := range map[label.ID]string{1: "a", 2: "a", 3: "c"} {
		if st := want(t, s, id, label.Covered); st.Test != number[by] {
			t.Errorf("label %d is covered by test %d, not by %s", id, st.Test, by)
		}
	}
	if dropped, err = s.Drop(all, nil); err != nil || slices.Contains(dropped, number["a"]) ||
		slices.Contains(dropped, number["c"]) {
		t.Errorf("labels are left without a test: %v, %v", dropped, err)
	}
	storetest.Check(t, s)
	if _, err := s.Drop([]uint64{99}, nil); err == nil {
		t.Error("a test that does not exist was dropped")
	}
	s.Close()
	if err := os.Remove(filepath.Join(dir, "tests", "b")); err != nil {
		t.Fatal(err)
	}
	s, r := reopen(t, dir)
	if len(r.Restored)+len(r.Lost) > 0 {
		t.Errorf("the file of a dropped test: %+v", r)
	}
	if _, err := s.SetProgram("another"); err != nil {
		t.Fatal(err)
	}
	if stale, err := s.TestsToReplay(); err != nil || len(stale) != 2 {
		t.Errorf("%d tests to replay, %v", len(stale), err)
	}
}

func TestCoverageNeedsData(t *testing.T) {
	s := open(t, 2)
	r := result("a", 1)
	r.Data = nil
	if _, err := s.Record(r); err == nil {
		t.Error("a test without data covers a label")
	}
	want(t, s, 1, label.Unknown)
	// One that was recorded before keeps what it has.
	record(t, s, result("a", 1))
	if _, err := s.SetProgram("another"); err != nil {
		t.Fatal(err)
	}
	record(t, s, r)
	want(t, s, 1, label.Covered)
	storetest.Check(t, s)
}

// Whatever is done to the file: it is said to be damaged, or nothing in it has
// changed that counts.
func TestMutatedFiles(t *testing.T) {
	if testing.Short() { // as under the race detector
		t.Skip("SKIPPED: bbolt races with itself where it panics over a damaged list of free pages")
	}
	dir := t.TempDir()
	withFiles(t, dir)
	path := filepath.Join(dir, "klabel.db")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := 500
	if os.Getenv("KLABEL_SOAK") != "" {
		n = 10000
	}
	rng := rand.New(rand.NewPCG(1, 2))
	page := os.Getpagesize()
	opened := 0
	for i := range n {
		b := slices.Clone(whole)
		switch i % 5 {
		case 0:
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		case 1:
			b = b[:rng.IntN(len(b))]
		case 2: // one page over another
			from, to := rng.IntN(len(b)/page), rng.IntN(len(b)/page)
			copy(b[to*page:(to+1)*page], whole[from*page:])
		case 3:
			at := rng.IntN(len(b) - 64)
			for k := range 64 {
				b[at+k] = byte(rng.Uint32())
			}
		case 4: // the head of a page, where the counts and numbers are
			b[rng.IntN(len(b)/page)*page+rng.IntN(48)] = byte(rng.Uint32())
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(dir, store.Options{})
		if err != nil {
			if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrVersion) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("mutation %d: %v", i, err)
			}
			continue
		}
		opened++
		for _, err := range storetest.Violations(s) {
			t.Errorf("mutation %d: %v", i, err)
		}
		if st, _ := s.Status(4); st.Status != label.Unknown {
			t.Errorf("mutation %d: label 4 is %v", i, st.Status)
		}
		if _, err := s.Record(result("new", 4)); err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Errorf("mutation %d: %v", i, err)
		}
		s.Close()
	}
	t.Logf("%d of %d open", opened, n)
}

// Files that are cut, removed or written over while they are mapped: an error in
// one line that says what happened, and not in the machine's words.
func TestDamagedWhileOpen(t *testing.T) {
	page := int64(os.Getpagesize())
	cut := func(size int64) func(string) error {
		return func(path string) error { return os.Truncate(path, size) }
	}
	zeros := func(path string) error {
		fi, err := os.Stat(path)
		if err != nil {
			return err
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.Write(make([]byte, fi.Size()))
		return err
	}
	for _, c := range []struct {
		name, file string
		damage     func(string) error
		want       string
	}{
		{"cut to nothing", "klabel.db", cut(0), "it was cut from"},
		{"cut to a page", "klabel.db", cut(page), "it was cut from"},
		{"cut to two pages", "klabel.db", cut(2 * page), "it was cut from"},
		{"cut to two and a half pages", "klabel.db", cut(2*page + page/2), "it was cut from"},
		{"removed", "klabel.db", os.Remove, "it was removed"},
		{"written over", "klabel.db", zeros, "damaged"},
		{"view cut", "live.view", cut(0), "live.view was cut"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			withFiles(t, dir)
			s, _ := reopen(t, dir)
			if err := c.damage(filepath.Join(dir, c.file)); err != nil {
				t.Fatal(err)
			}
			_, err := s.Record(result("d", 4))
			if err == nil {
				_, err = s.Record(result("e", 4))
			}
			if err == nil || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "runtime error") ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if c.file == "klabel.db" && !errors.Is(err, store.ErrDamaged) {
				t.Errorf("%v is not ErrDamaged", err)
			}
			s.ViewStatus(1)
			_, _ = s.Snapshot() // may fail, must return
			s.Close()
			if c.file == "live.view" {
				reopen(t, dir)
			}
		})
	}
}

// An empty file is not taken for a store that never was.
func TestEmptyFile(t *testing.T) {
	dir := t.TempDir()
	withFiles(t, dir)
	path := filepath.Join(dir, "klabel.db")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Read(dir); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("reading it: %v", err)
	}
	s := storetest.Open(t, dir, store.Options{})
	if !s.Repairs().Emptied {
		t.Error("nothing says that the store was empty")
	}
	s.Close()
	if s = storetest.Open(t, dir, store.Options{}); s.Repairs().Emptied {
		t.Error("it is said twice")
	}
	if s = storetest.Open(t, t.TempDir(), store.Options{}); s.Repairs().Emptied {
		t.Error("it is said of a new directory")
	}
}

// A test that has run once more shows what it shows now.
func TestAnew(t *testing.T) {
	dir := t.TempDir()
	s := storetest.Open(t, dir, store.Options{})
	if err := s.SetLabels(labels(4)); err != nil {
		t.Fatal(err)
	}
	record(t, s, result("all", 1, 2, 3))
	record(t, s, result("b", 2))
	again := result("all", 3, 4)
	record(t, s, again) // the same test: nothing changes
	if s.Covered() != 3 {
		t.Fatalf("%d labels are covered, want 3", s.Covered())
	}
	again.Anew = true
	record(t, s, again)
	s.Close()
	s, _ = reopen(t, dir)
	want := []label.Status{label.Unknown, label.Covered, label.Covered, label.Covered}
	for i, w := range want {
		if st, _ := s.Status(label.ID(i + 1)); st.Status != w {
			t.Errorf("label %d is %v, want %v", i+1, st.Status, w)
		}
	}
}
