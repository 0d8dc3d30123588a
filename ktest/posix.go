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
	openInput  = "sym-stdin-upto"
	inputSize  = "stdin_size"
	fixedInput = "--sym-stdin"
)

// FixedInput is a test of a program whose standard input has any length up to a bound
// as KLEE's runtime and its tools know it, who have inputs of one length alone: the
// one that this test has. Other tests stay as they are; so does one with an empty input,
// which is none at all there: what the program would read then is not the test's.
func (t *Test) FixedInput() *Test {
	at := slices.IndexFunc(t.Args, func(a string) bool {
		return strings.HasPrefix(a, "-") && strings.TrimPrefix(a[1:], "-") == openInput
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
