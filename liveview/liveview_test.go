package liveview

import (
	"bytes"
	"errors"
	"testing"
)

func TestFile(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		statuses := bytes.Repeat([]byte{5}, n)
		f := File(statuses)
		got, err := Count(f)
		if err != nil || got != n || len(f)%8 != 0 || !bytes.Equal(f[Header:Header+n], statuses) ||
			*Generation(f) != 1 {
			t.Errorf("%d statuses: %d, %v, %d bytes", n, got, err, len(f))
		}
		for id := range n {
			w, shift := Word(f, id)
			if w == nil || byte(*w>>shift) != 5 {
				t.Errorf("status %d of %d is not in its word", id, n)
			}
		}
		if w, _ := Word(f, len(f)); w != nil {
			t.Error("there is a word behind the end")
		}
	}
	for name, change := range map[string]func([]byte) []byte{
		"short":   func(b []byte) []byte { return b[:Header-1] },
		"magic":   func(b []byte) []byte { b[0]++; return b },
		"version": func(b []byte) []byte { b[atVersion]++; return b },
		"count":   func(b []byte) []byte { b[atCount]++; return b },
		"empty":   func([]byte) []byte { return nil },
	} {
		if _, err := Count(change(File(make([]byte, 8)))); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
