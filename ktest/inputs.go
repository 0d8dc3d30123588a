package ktest

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// choicePrefix begins the names of the choice objects that instrumentation
// adds: "nondet_17" decides whether the engine takes up label 17.
const choicePrefix = "nondet_"

// IsChoice reports whether an object of that name is the engine's choice about
// a label, and no input of the program: "nondet_" and digits, nothing else.
func IsChoice(name string) bool {
	digits, ok := strings.CutPrefix(name, choicePrefix)
	if !ok || digits == "" {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

// StripChoices returns the test without choice objects: the inputs that the
// program itself asks for. The test is left as it was.
func (t *Test) StripChoices() *Test {
	s := *t
	s.Args = slices.Clone(t.Args)
	s.Objects = make([]Object, 0, len(t.Objects))
	for _, o := range t.Objects {
		if !IsChoice(o.Name) {
			s.Objects = append(s.Objects, o)
		}
	}
	return &s
}

// Hash identifies what the program gets to see: arguments and inputs, choice
// objects left out. Equal tests have equal hashes whatever version of the
// format they were read from.
func (t *Test) Hash() [sha256.Size]byte {
	s := t.StripChoices()
	s.Version, s.OldMagic = Version, false
	return sha256.Sum256(s.Bytes())
}
