package sample

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"klabel/ktest"
)

// A program with a menu goes on until it gets the answer that leaves it. What engines
// find in it are inputs that end at a label: behind these the program reads on and on,
// such a run does not end, and covers nothing. So its input gets an ending: answers that
// have ended other runs, or that the program's text suggests, until one ends this one.

const (
	endingTimes  = 16 // an answer may go to questions within the menu first
	endingAll    = 2  // so may one of all of them
	mostEndings  = 48 // that the program's text suggests
	someEndings  = 12 // tried for one test, as long as none has ended a run: all for the first,
	fewEndings   = 2  // and of those that have not, once others have
	longestInput = 1024
	longestWord  = 20
)

// Endings are the answers, those that have ended a run in front.
type Endings struct {
	mu    sync.Mutex
	texts []string
	ended int           // so many of them
	next  int           // which of the others is tried next
	spent time.Duration // without any
	most  time.Duration
}

// NewEndings begins with no answer that has ended a run; most is the time that trying may
// take, without any.
func NewEndings(texts []string, most time.Duration) *Endings {
	return &Endings{texts: slices.Clone(texts), most: most}
}

// Spent notes time that was spent in vain.
func (e *Endings) Spent(d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended == 0 {
		e.spent += d
	}
}

// Endings are answers that may leave a program: all in a row, and each by itself, the
// usual ones, the numbers that it speaks of, the letters, the words.
func (c *Constants) Endings() []string {
	each := c.answers()
	return append([]string{strings.Join(each, "\n")}, each...)
}

func (c *Constants) answers() (out []string) {
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
		if isWord(w) {
			add(strings.TrimSpace(w))
		}
	}
	for _, n := range numbers {
		add(strconv.Itoa(n))
	}
	return out
}

// Try are the answers to try now.
func (e *Endings) Try() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
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

// Known is the answer that has ended a run last; "" for none.
func (e *Endings) Known() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended == 0 {
		return ""
	}
	return e.texts[0]
}

// Worked puts an answer that has ended a run in front.
func (e *Endings) Worked(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.Index(e.texts, text)
	if i < 0 {
		return
	}
	if i >= e.ended {
		e.ended++
	}
	e.texts = slices.Insert(slices.Delete(e.texts, i, i+1), 0, text)
}

// Ending is a test with an answer behind that part of its input which was read, several
// times, for it may be asked for something else first; nil where it has no input that may
// be longer.
func Ending(t *ktest.Test, read int, answer string) *ktest.Test {
	in := inputOf(t)
	if in == nil || min(len(in.text), read) > longestInput {
		return nil
	}
	text := append([]byte{}, in.text[:min(len(in.text), read)]...)
	return in.with(append(append(text, '\n'), parting(answer)...))
}

// parting is an answer said as often as it takes.
func parting(answer string) string {
	if strings.Contains(answer, "\n") {
		return strings.Repeat(answer+"\n", endingAll)
	}
	return strings.Repeat(answer+"\n", endingTimes)
}
