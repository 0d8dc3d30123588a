package ktest

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// Of klabel's own engine: an input of any length up to a bound, and the object that
// tells how long it is.
const (
	openInput  = "sym-stdin-upto" // KLEE is given sym-stdin for it
	inputSize  = "stdin_size"
	fixedInput = "--sym-stdin"
)

// FixedInput is a test of a program whose standard input has any length up to a bound
// as KLEE's runtime and its tools know it, who have inputs of one length alone: the
// one that this test has. Other tests stay as they are; so does one with an empty input,
// which is none at all there: what the program would read then is not the test's.
func (t *Test) FixedInput() *Test {
	at := slices.IndexFunc(t.Args, func(a string) bool {
		word := strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-")
		return word != a && (word == openInput || word == fixedInput[2:])
	})
	size := slices.IndexFunc(t.Objects, func(o Object) bool { return o.Name == inputSize && len(o.Data) == 4 })
	if at < 0 || at+1 >= len(t.Args) || size < 0 {
		return t
	}
	n := int(int32(binary.LittleEndian.Uint32(t.Objects[size].Data)))
	if n <= 0 {
		return t
	}
	s := *t
	s.Args = slices.Concat(t.Args[:at], []string{fixedInput, strconv.Itoa(n)}, t.Args[at+2:])
	s.Objects = nil
	for i, o := range t.Objects {
		switch {
		case i == size:
			continue
		case o.Name == "stdin" && len(o.Data) < n:
			return t // it was never asked for
		case o.Name == "stdin":
			o.Data = slices.Clone(o.Data[:n])
		}
		s.Objects = append(s.Objects, o)
	}
	return &s
}

// AnyInput is a test with the object that tells how long its input is, where it has
// none: what FixedInput leaves out.
func (t *Test) AnyInput() *Test {
	last, input := 0, -1
	for i, o := range t.Objects {
		switch {
		case o.Name == inputSize:
			return t
		case o.Name == "n_args" || strings.HasPrefix(o.Name, "arg"):
			last = i + 1
		case o.Name == "stdin":
			input = len(o.Data)
		}
	}
	if input < 0 {
		return t
	}
	s := *t
	s.Objects = slices.Insert(slices.Clone(t.Objects), last, Object{Name: inputSize,
		Data: binary.LittleEndian.AppendUint32(nil, uint32(input))})
	return &s
}
