package ktest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sample() *Test {
	return &Test{
		Version: 3, Args: []string{"prog.bc", "", "--sym-args"}, SymArgvs: 1, SymArgvLen: 2,
		Objects: []Object{
			{"x", []byte{1, 2, 3, 4}}, {"nondet_17", []byte{1, 0, 0, 0}}, {"x", []byte{}},
			{"nondet_", []byte{1}}, {"nondet_1x", []byte{1}}, {"__VERIFIER_nondet_int", []byte{5, 0, 0, 0}},
		},
	}
}

func TestRoundTrip(t *testing.T) {
	for _, version := range []uint32{1, 2, 3} {
		for _, old := range []bool{false, true} {
			want := sample()
			want.Version, want.OldMagic = version, old
			if version == 1 {
				want.SymArgvs, want.SymArgvLen = 0, 0
			}
			b := want.Bytes()
			got, err := Parse(b)
			if err != nil {
				t.Fatalf("version %d: %v", version, err)
			}
			if d := cmp.Diff(want, got); d != "" && !bytes.Equal(got.Bytes(), b) {
				t.Errorf("version %d: %s", version, d)
			}
			if !bytes.Equal(got.Bytes(), b) {
				t.Errorf("version %d: bytes differ", version)
			}
		}
	}
}

// The bytes of a test as KLEE 3.1 writes it.
func TestLayout(t *testing.T) {
	want := "KTEST\x00\x00\x00\x03" + "\x00\x00\x00\x01" + "\x00\x00\x00\x04a.bc" +
		"\x00\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x01" + "\x00\x00\x00\x01x\x00\x00\x00\x02\x07\x08"
	got := (&Test{Args: []string{"a.bc"}, Objects: []Object{{"x", []byte{7, 8}}}}).Bytes()
	if string(got) != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestEveryPrefixIsTruncated(t *testing.T) {
	b := sample().Bytes()
	for n := range b {
		_, err := Parse(b[:n])
		var f *FormatError
		if !errors.As(err, &f) || !f.Truncated {
			t.Errorf("first %d bytes: %v", n, err)
		}
	}
}

func TestForeign(t *testing.T) {
	good := sample().Bytes()
	newer := bytes.Clone(good)
	newer[8] = 9
	for name, b := range map[string][]byte{
		"text":           []byte("#!/bin/sh\n"),
		"newer version":  newer,
		"trailing bytes": append(bytes.Clone(good), 0),
	} {
		_, err := Parse(b)
		var f *FormatError
		if !errors.As(err, &f) || f.Truncated {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLyingLengths(t *testing.T) {
	head := []byte("KTEST\x00\x00\x00\x03")
	for name, tail := range map[string][]byte{
		"arguments": {0xff, 0xff, 0xff, 0xff},
		"argument":  {0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 'x'},
		"objects":   {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff},
		"object":    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 'x', 0xff, 0xff, 0xff, 0xff},
	} {
		b := append(bytes.Clone(head), tail...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Parse(b); err == nil {
			t.Errorf("%s: no error", name)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
}

func TestStripChoices(t *testing.T) {
	full := sample()
	s := full.StripChoices()
	if len(s.Objects) != 5 || len(full.Objects) != 6 {
		t.Fatalf("%d and %d objects, want 5 and 6", len(s.Objects), len(full.Objects))
	}
	for _, o := range s.Objects {
		if o.Name == "nondet_17" {
			t.Error("nondet_17 is still there")
		}
	}
	if full.Hash() != s.Hash() || !SameInputs(full, s) {
		t.Error("choices count")
	}
	older := *full
	older.OldMagic = true
	if older.Hash() != full.Hash() {
		t.Error("the version of the format counts")
	}
	swapped := sample()
	swapped.Objects[0], swapped.Objects[2] = swapped.Objects[2], swapped.Objects[0]
	if swapped.Hash() == full.Hash() || SameInputs(swapped, full) {
		t.Error("order does not count")
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ktest")
	if _, err := ReadFile(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if err := os.WriteFile(path, sample().Bytes()[:30], 0o644); err != nil {
		t.Fatal(err)
	}
	var f *FormatError
	if _, err := ReadFile(path); !errors.As(err, &f) {
		t.Errorf("cut file: %v", err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skipf("SKIPPED: no file with holes can be made: %v", err)
	}
	if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a file of a terabyte: %v", err)
	}
}

// What parses is written again byte for byte; stripping changes no input.
func FuzzParse(f *testing.F) {
	f.Add(sample().Bytes())
	f.Add([]byte("BOUT\n\x00\x00\x00\x01"))
	huge := sample().Bytes()
	binary.BigEndian.PutUint32(huge[9:], 1<<31)
	f.Add(huge)
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := Parse(b)
		if err != nil {
			if x != nil {
				t.Fatal("a test and an error")
			}
			return
		}
		if !bytes.Equal(x.Bytes(), b) {
			t.Fatalf("%q is written as %q", b, x.Bytes())
		}
		s := x.StripChoices()
		if s.Hash() != x.Hash() || !SameInputs(s, x) {
			t.Fatal("stripping changes the inputs")
		}
		if again, err := Parse(s.Bytes()); err != nil || !SameInputs(again, x) {
			t.Fatalf("the stripped test does not survive: %v", err)
		}
	})
}

// SameInputs reports whether the program cannot tell the two tests apart.
func SameInputs(a, b *Test) bool {
	x, y := a.StripChoices(), b.StripChoices()
	return slices.Equal(x.Args, y.Args) && x.SymArgvs == y.SymArgvs && x.SymArgvLen == y.SymArgvLen &&
		slices.EqualFunc(x.Objects, y.Objects, func(p, q Object) bool {
			return p.Name == q.Name && slices.Equal(p.Data, q.Data)
		})
}
