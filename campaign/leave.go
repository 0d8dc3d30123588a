package campaign

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
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
	endingShare  = 6 // of the budget, at most, without any that ends a run: one part
	endingBrief  = 250 * time.Millisecond
)

// endings are the answers, those that have ended a run in front.
type endings struct {
	texts []string
	ended int           // so many of them
	next  int           // which of the others is tried next
	spent time.Duration // without any
	most  time.Duration
}

// endingsOf are answers that may leave a program: the usual ones, the numbers that it
// speaks of, the letters, the words.
func endingsOf(p *program) (out []string) {
	add := func(s string) {
		if !slices.Contains(out, s) && len(out) < mostEndings {
			out = append(out, s)
		}
	}
	add("0")
	add("-1")
	var numbers []int
	var letters, texts []string
	eachConstant(p, func(text string) {
		if n, err := strconv.Atoi(text); err == nil && n > 0 && n < 1000 {
			numbers = append(numbers, n)
		}
	})
	for _, c := range p.marks() {
		if c > ' ' && c < 0x7f {
			letters = append(letters, string(c))
		}
	}
	for _, w := range words(p) {
		if w = strings.TrimSpace(w); len(w) > 1 && len(w) <= longestWord && !strings.ContainsAny(w, " %\n\t") {
			texts = append(texts, w)
		}
	}
	slices.Sort(numbers)
	slices.Reverse(numbers) // the last of a menu leaves it, mostly
	for _, n := range numbers {
		if n <= 32 {
			add(strconv.Itoa(n))
		}
	}
	for _, s := range append([]string{"n", "q"}, letters...) {
		add(s)
	}
	for _, s := range texts {
		add(s)
	}
	for _, n := range numbers {
		add(strconv.Itoa(n))
	}
	return out
}

// try are the answers to try now.
func (e *endings) try() []string {
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

// worked puts an answer that has ended a run in front.
func (e *endings) worked(text string) {
	i := slices.Index(e.texts, text)
	if i >= e.ended {
		e.ended++
	}
	e.texts = slices.Insert(slices.Delete(e.texts, i, i+1), 0, text)
}

// left gives a test whose run reads on where there is nothing to read an input that ends
// the run, where that makes it cover something: the test, its verdict, and what it was
// asked for. Others are given back as they are.
func (k *judge) left(ctx context.Context, e entry, t *ktest.Test, v label.Verdict, asked []replayer.Asked) (*ktest.Test,
	label.Verdict, []replayer.Asked) {
	if !e.ownMain() || !replayer.Starved(v) || !k.meetsOpen(v.Hits) {
		return t, v, asked
	}
	k.mu.Lock()
	texts := k.endings.try()
	k.mu.Unlock()
	for _, text := range texts {
		longer := ending(t, v.ReadTo, text)
		if longer == nil {
			break
		}
		load := max(1, k.load())
		w, a, err := k.poolOf(e).ReplayBriefly(ctx, e.number, longer, time.Duration(float64(endingBrief)*load))
		if err != nil {
			break
		}
		ended := w.Outcome == label.Normal
		k.mu.Lock()
		if ended {
			k.endings.worked(text)
		} else if k.endings.ended == 0 {
			k.endings.spent += time.Duration(float64(w.Duration) / load)
		}
		k.mu.Unlock()
		if ended {
			return longer, w, a
		}
	}
	return t, v, asked
}

// ending is a test with an answer behind that part of its input which was read, several
// times, for it may be asked for something else first; nil where it has no input that may
// be longer.
func ending(t *ktest.Test, read int, answer string) *ktest.Test {
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
