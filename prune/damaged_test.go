package prune

import (
	"os"
	"path/filepath"
	"testing"
)

// A proof is taken from the cache only as it was put there, for its question.
func TestDamagedAnswerIsNone(t *testing.T) {
	j := &job{Options: &Options{}}
	j.CacheDir = t.TempDir()
	key, other := j.key("a"), j.key("b")
	j.keep(key, []int{1, 23})
	place := func(k string) string { return filepath.Join(j.CacheDir, k[:2], k+".json") }
	good, err := os.ReadFile(place(key))
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	if !j.cached(key, &got) || len(got) != 2 {
		t.Fatalf("not cached: %v", got)
	}
	for i := range good {
		bad := append([]byte{}, good...)
		bad[i] ^= 1
		os.WriteFile(place(key), bad, 0o666)
		if j.cached(key, &got) {
			t.Errorf("byte %d changed: taken all the same", i)
		}
		os.WriteFile(place(key), good[:i], 0o666)
		if j.cached(key, &got) {
			t.Errorf("cut to %d bytes: taken all the same", i)
		}
	}
	os.MkdirAll(filepath.Dir(place(other)), 0o777)
	os.WriteFile(place(other), good, 0o666)
	if j.cached(other, &got) {
		t.Error("another's answer is taken")
	}
}
