package campaign

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"klabel/engine"
	"klabel/ktest"
	"klabel/linkage"
)

// Engines give arguments, input and files different sizes: a test of one is followed
// by another where it has room for it.

var argumentObject = regexp.MustCompile(`^arg[0-9]{2}$`)

// fitted is a test with objects of the sizes that an engine gives them, nil where it
// gives none so large. A fuzzer takes any.
func fitted(test []byte, by string, args []string) []byte {
	if !posixArgs(args) {
		return test
	}
	t, err := ktest.Parse(test)
	if err != nil {
		return nil
	}
	if open := t.AnyInput(); open != t && slices.ContainsFunc(args, engine.OpenInput) {
		t, test = open, open.Bytes()
	}
	if by == fuzzName {
		return test
	}
	room := roomOf(args)
	input := -1
	for _, o := range t.Objects {
		if o.Name == "stdin_size" && len(o.Data) == 4 {
			input = int(binary.LittleEndian.Uint32(o.Data))
		}
	}
	for i, o := range t.Objects {
		var most, used int
		switch {
		case argumentObject.MatchString(o.Name):
			if most, used = room.Argument+1, bytes.IndexByte(o.Data, 0)+1; used == 0 {
				used = len(o.Data)
			}
		case o.Name == "stdin":
			if most, used = room.Input, len(o.Data); input >= 0 {
				used = min(used, input)
			}
		case strings.HasSuffix(o.Name, "_data"):
			if most, used = room.File, len(o.Data); used != most {
				return nil // files are of one size there
			}
		default:
			continue
		}
		if used > most {
			return nil
		}
		t.Objects[i].Data = append(slices.Clone(o.Data[:used]), make([]byte, most-used)...)
	}
	return t.Bytes()
}

// roomOf reads the options that make a program's environment symbolic.
func roomOf(args []string) (b linkage.Bounds) {
	for i, a := range args {
		operand := func(k int) int {
			if i+k >= len(args) {
				return 0
			}
			n, _ := strconv.Atoi(args[i+k])
			return n
		}
		switch strings.TrimLeft(a, "-") {
		case "sym-arg":
			b.Argument = operand(1)
		case "sym-args":
			b.Argument = operand(3)
		case "sym-stdin", "sym-stdin-upto":
			b.Input = operand(1)
		case "sym-files":
			b.File = operand(2)
		}
	}
	return b
}
