package campaign

import (
	"slices"
	"testing"

	"klabel/ktest"
	"klabel/linkage"
)

func TestFitted(t *testing.T) {
	asks := linkage.Asks{Arguments: 2, Input: true, Files: true}
	small := asks.Options(linkage.Bounds{Argument: 3, Many: 3, Input: 4, File: 4})
	test := func(argument, input string, size byte, file string) []byte {
		return (&ktest.Test{Version: ktest.Version, Objects: []ktest.Object{
			{Name: "n_args", Data: []byte{1, 0, 0, 0}}, {Name: "arg00", Data: []byte(argument)},
			{Name: "stdin_size", Data: []byte{size, 0, 0, 0}}, {Name: "A_data", Data: []byte(file)},
			{Name: "stdin", Data: []byte(input)}}}).Bytes()
	}
	for _, c := range []struct {
		name        string
		given, want []byte
	}{
		{"shorter", test("ab\x00", "12\n", 3, "file"), test("ab\x00\x00", "12\n\x00", 3, "file")},
		{"longer objects of short texts", test("ab\x00\x00\x00\x00", "12\n\x00\x00\x00", 3, "file"),
			test("ab\x00\x00", "12\n\x00", 3, "file")},
		{"a longer argument", test("abcd\x00", "1", 1, "file"), nil},
		{"a longer input", test("a\x00", "12345", 5, "file"), nil},
		{"a shorter file", test("a\x00", "1", 1, "f"), nil},
	} {
		if got := fitted(c.given, "native", small); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := fitted(c.given, fuzzName, small); !slices.Equal(got, c.given) {
			t.Errorf("%s: a fuzzer has room for it", c.name)
		}
	}
}
