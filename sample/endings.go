package sample

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"klabel/ktest"
)

// A program with a menu goes on until it gets the answer that leaves it. What engines
// find in it are inputs that end at a label: behind these the program reads on and on,
// such a run does not end, and covers nothing. So its input gets an ending: answers that
// have ended other runs, or that the program's text suggests, until one ends this one.

const (
	endingTimes  = 4  // an answer may go to a question within the menu first
	mostEndings  = 48 // that the program's text suggests
	someEndings  = 12 // tried for one test, as long as none has ended a run: all for the first,
	fewEndings   = 2  // and of those that have not, once others have
	longestInput = 1024
	longestWord  = 20
)

// Endings are the answers, those that have ended a run in front.
type Endings struct {
	texts []string
	ended int           // so many of them
	next  int           // which of the others is tried next
	spent time.Duration // without any
	most  time.Duration
}

// NewEndings begins with no answer that has ended a run; most is the time that trying may
// take, without any.
func NewEndings(texts []string, most time.Duration) Endings { return Endings{texts: texts, most: most} }

// Spent notes time that was spent in vain.
func (e *Endings) Spent(d time.Duration) {
	if e.ended == 0 {
		e.spent += d
	}
}

// Endings are answers that may leave a program: the usual ones, the numbers that it
// speaks of, the letters, the words.
func (c *Constants) Endings() (out []string) {
	add := func(s string) {
		if !slices.Contains(out, s) && len(out) < mostEndings {
			out = append(out, s)
		}
	}
	add("0")
	add("-1")
	numbers := slices.DeleteFunc(slices.Clone(c.whole), func(n int) bool { return n <= 0 || n >= 1000 })
	slices.Sort(numbers)
	slices.Reverse(numbers) // the last of a menu leaves it, mostly
	for _, n := range numbers {
		if n <= 32 {
			add(strconv.Itoa(n))
		}
	}
	add("n")
	add("q")
	for _, c := range c.Marks {
		if c > ' ' && c < 0x7f {
			add(string(c))
		}
	}
	for _, w := range c.Words {
		if w = strings.TrimSpace(w); len(w) > 1 && len(w) <= longestWord && !strings.ContainsAny(w, " %\n\t") {
			add(w)
		}
	}
	for _, n := range numbers {
		add(strconv.Itoa(n))
	}
	return out
}

// Try are the answers to try now.
func (e *Endings) Try() []string {
	n := fewEndings
	if e.ended == 0 {
		if n = someEndings; e.next == 0 {
			n = len(e.texts)
		}
		if e.spent >= e.most {
			return nil
		}
	}
	out := slices.Clone(e.texts[:e.ended])
	others := e.texts[e.ended:]
	for range min(n, len(others)) {
		out = append(out, others[e.next%len(others)])
		e.next++
	}
	return out
}

// Worked puts an answer that has ended a run in front.
func (e *Endings) Worked(text string) {
	i := slices.Index(e.texts, text)
	if i >= e.ended {
		e.ended++
	}
	e.texts = slices.Insert(slices.Delete(e.texts, i, i+1), 0, text)
}

// Ending is a test with an answer behind that part of its input which was read, several
// times, for it may be asked for something else first; nil where it has no input that may
// be longer.
func Ending(t *ktest.Test, read int, answer string) *ktest.Test {
	t = t.AnyInput()
	option := slices.IndexFunc(t.Args, func(a string) bool {
		a = strings.TrimLeft(a, "-")
		return a == "sym-stdin" || a == "sym-stdin-upto"
	})
	input := slices.IndexFunc(t.Objects, func(o ktest.Object) bool { return o.Name == "stdin" })
	size := slices.IndexFunc(t.Objects, func(o ktest.Object) bool { return o.Name == "stdin_size" && len(o.Data) == 4 })
	if option < 0 || option+1 >= len(t.Args) || size < 0 {
		return nil
	}
	room, err := strconv.Atoi(t.Args[option+1])
	n := int(int32(binary.LittleEndian.Uint32(t.Objects[size].Data)))
	if err != nil || n < 0 || min(n, read) > longestInput {
		return nil
	}
	text := make([]byte, min(n, read))
	if input >= 0 {
		copy(text, t.Objects[input].Data)
	}
	text = append(append(text, '\n'), strings.Repeat(answer+"\n", endingTimes)...)
	longer := *t
	longer.Args, longer.Objects = slices.Clone(t.Args), slices.Clone(t.Objects)
	longer.Args[option+1] = fmt.Sprint(max(room, len(text)))
	longer.Objects[size].Data = binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	if input < 0 {
		longer.Objects = append(longer.Objects, ktest.Object{Name: "stdin", Data: text})
	} else {
		longer.Objects[input].Data = text
	}
	return &longer
}
