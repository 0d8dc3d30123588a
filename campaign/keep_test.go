package campaign

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/store"
)

// When the store takes a test, its file is there: a klabel that is killed then
// leaves no claim without a test. One that the store does not take leaves no file.
func TestFilesComeBeforeClaims(t *testing.T) {
	l := layout{dir: t.TempDir()}
	if err := os.MkdirAll(l.tests(), 0o777); err != nil {
		t.Fatal(err)
	}
	files := func() int {
		found, err := filepath.Glob(filepath.Join(l.tests(), "*.ktest"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	asked, atClaim := false, -1
	st, err := store.Open(l.dir, store.Options{Now: func() time.Time {
		if asked && atClaim < 0 {
			atClaim = files()
		}
		return time.Now()
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.SetLabels([]label.Label{{ID: 1}, {ID: 2}}); err != nil {
		t.Fatal(err)
	}
	k := newJudge(st, nil, l, "native", Silent{})
	keep := func(id label.ID) error {
		test := &ktest.Test{Objects: []ktest.Object{{Name: "x", Data: []byte{byte(id), 0, 0, 0}}}}
		return k.keep(test, origin{entry: entry{name: "main"}}, label.Verdict{Outcome: label.Normal,
			Hits: []label.ID{id}}, true, time.Time{}, "native") // no time: the store asks for it
	}
	asked = true
	if err := keep(1); err != nil || atClaim != 1 {
		t.Errorf("%d files when the store takes the test, want 1; %v", atClaim, err)
	}
	st.Close()
	if err := keep(2); err == nil || files() != 1 {
		t.Errorf("%d files of tests, want 1; error %v", files(), err)
	}
}
