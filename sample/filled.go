package sample

import (
	"slices"
	"strings"

	"klabel/ktest"
)

// Entries with sequences of calls fill an object by many calls of one function. A test that is drawn seldom makes the
// object, fills it, finds something in it and leaves it alone until the function under test has it: such tests come
// first, each filling function in turn.

const (
	fillers = "many calls" // which function is called many times, by number; 0 for none
	finders = 3            // of the functions that find something in what is filled so many are tried
)

// single reports whether an input says which function is called once before the one under test.
func single(o ktest.Object) bool {
	return len(o.Data) == 1 && strings.HasPrefix(o.Name, "call ") && !strings.Contains(o.Name, ":")
}

// fills lists these tests: made of the first that knows which choices there are.
func fills(base Base) (out []*ktest.Test) {
	at := slices.IndexFunc(base.test.Objects, func(o ktest.Object) bool {
		return o.Name == fillers && len(o.Data) == 1
	})
	if at < 0 {
		return nil
	}
	for filler := int32(1); filler <= base.ranges[fillers][1]; filler++ {
		for finder := int32(1); finder <= finders; finder++ {
			t := &ktest.Test{Version: base.test.Version, Args: base.test.Args}
			for i, o := range base.test.Objects {
				data := slices.Clone(o.Data)
				most := base.ranges[o.Name][1]
				switch made := strings.HasSuffix(o.Name, ":made") && len(data) == 1; {
				case i == at:
					data[0] = byte(filler)
				case made && i < at:
					data[0] = byte(min(1, most))
				case made:
					data[0] = byte(min(finder, most))
				}
				t.Objects = append(t.Objects, ktest.Object{Name: o.Name, Data: data})
			}
			out = append(out, t)
		}
	}
	return out
}
