package sample

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"klabel/input"
	"klabel/ktest"
)

// A program that asks for one thing after the other, a menu above all, shows what it does
// in conversations that are longer than an engine can follow a character at a time: its
// queue is full after ten answers. Such a conversation is drawn: numbers that the menu may
// know, values, what was said before, the same again and again. One that was worth to be
// kept is taken up somewhere and goes on in another way.

const (
	longestTalk = 512 // characters
	mostPhrases = 6   // said one after the other
	mostSame    = 64  // times that one is said again
	mostChoice  = 32  // of a menu
	mostMute    = 3   // runs that a word has hung

	longestPhrase = 3    // answers
	talkPatience  = 4000 // as patience
)

// speech is what the answers of a conversation are made of.
type speech struct {
	most    int // numbers of a menu
	numbers []int
	words   []string
	mute    int  // runs out of time of conversations with words
	starves bool // at the end of an input the program asks on and on
	endings *Endings
	tries   []string // answers that may end a run, and have not been tried by themselves
}

// Converse lets standard inputs be conversations. Those with a program begin with the answers that may
// leave it, until one does.
func (s *Sampler) Converse(c *Constants, endings *Endings, program bool) {
	s.speech = &speech{most: 1, endings: endings}
	if program {
		s.speech.tries = endings.Try()
	}
	for _, n := range c.whole {
		if n <= mostChoice {
			s.speech.most = max(s.speech.most, n)
		}
		if !slices.Contains(s.speech.numbers, n) {
			s.speech.numbers = append(s.speech.numbers, n)
		}
	}
	for _, w := range c.Words {
		if isWord(w) {
			s.speech.words = append(s.speech.words, strings.TrimSpace(w))
		}
	}
	t := *s.corpus[0].test // what is not in it the program would ask for again and again
	t.Objects = []ktest.Object{{Name: "stdin_size", Data: make([]byte, 4)}}
	if in := inputOf(&t); in != nil {
		t.Objects = append(t.Objects, ktest.Object{Name: "stdin", Data: make([]byte, in.most)})
		s.corpus[0] = Base{test: &t, ranges: map[string][2]int32{"stdin_size": {0, int32(in.most)}}}
	}
}

// tryToLeave is a test of an answer that may leave the program; nil: none is to be tried.
func (s *Sampler) tryToLeave(base *Base) *ktest.Test {
	if s.speech == nil || len(s.speech.tries) == 0 {
		return nil
	}
	for _, b := range s.corpus {
		if in := inputOf(b.test); in != nil {
			*base = b
			base.trying, s.speech.tries = s.speech.tries[0], s.speech.tries[1:]
			return in.with([]byte(parting(base.trying)))
		}
	}
	return nil
}

// left notes that an answer has left the program: of all in a row one is still looked for.
func (s *speech) left(answer string) {
	s.endings.Worked(answer)
	if !strings.Contains(answer, "\n") {
		s.tries = nil
	}
}

// isWord reports whether a text of the program's may be an answer to it.
func isWord(w string) bool {
	w = strings.TrimSpace(w)
	return len(w) > 1 && len(w) <= longestWord && !strings.ContainsAny(w, " %\n\t")
}

// talk is a test whose standard input is another conversation; nil where it has none.
func (s *Sampler) talk(base *Base) *ktest.Test {
	in := inputOf(base.test)
	if s.speech == nil || in == nil {
		return nil
	}
	var said []string
	leave := s.speech.endings.Known()
	if s.rnd.IntN(4) > 0 && !strings.Contains(leave, "\n") {
		said = strings.Fields(string(in.text))
		said = slices.DeleteFunc(said, func(w string) bool { return w == leave }) // it has ended there
		said = said[:s.rnd.IntN(len(said)+1)]
	}
	base.worded = s.speech.mute < mostMute && s.rnd.IntN(2) == 0
	for range 1 + s.rnd.IntN(mostPhrases) {
		var phrase []string
		if n := len(said); n > 0 && s.rnd.IntN(3) == 0 { // once more
			phrase = slices.Clone(said[n-1-s.rnd.IntN(min(n, 2*longestPhrase)):])
		}
		for len(phrase) == 0 || len(phrase) < longestPhrase && s.rnd.IntN(2) == 0 {
			phrase = append(phrase, s.answer(said, leave, base.worded))
		}
		times := 1
		if s.rnd.IntN(3) == 0 {
			times += s.rnd.IntN([]int{8, 16, mostSame}[s.rnd.IntN(3)])
		}
		for range times {
			said = append(said, phrase...)
		}
	}
	text := []byte{}
	for _, w := range said {
		if len(text)+len(w) >= longestTalk {
			break
		}
		text = append(append(text, w...), " \n\n\n"[s.rnd.IntN(4)])
	}
	if leave != "" { // or the run would starve first
		text = append(text, parting(leave)...)
	}
	return in.with(text)
}

// answer draws what is said next. What leaves the program is no choice, and who asks for
// whole numbers goes on and on where there is something else.
func (s *Sampler) answer(said []string, leave string, worded bool) string {
	n := s.rnd.IntN(13)
	if worded {
		n = s.rnd.IntN(20)
	}
	switch {
	case n < 7:
		choice := strconv.Itoa(s.rnd.IntN(s.speech.most + 1))
		if choice == leave {
			choice = strconv.Itoa(s.rnd.IntN(s.speech.most + 1))
		}
		return choice
	case n < 9 && len(said) > 0:
		return said[s.rnd.IntN(len(said))]
	case n < 11:
		return strconv.Itoa(s.rnd.IntN(10))
	case n == 11 && len(s.speech.numbers) > 0:
		return strconv.Itoa(s.speech.numbers[s.rnd.IntN(len(s.speech.numbers))] + s.rnd.IntN(3) - 1)
	case n < 13:
		return strconv.Itoa(s.rnd.IntN(2000) - 1000)
	case n == 13:
		return strconv.FormatFloat(float64(s.rnd.IntN(2000)-1000)/8, 'f', -1, 64)
	case n < 16 && len(s.speech.words) > 0:
		return s.speech.words[s.rnd.IntN(len(s.speech.words))]
	case n < 18:
		return string(rune('a' + s.rnd.IntN(26)))
	}
	return string(rune(s.mark()))
}

// conversation is the standard input of a test, where it has one of any length: a program's,
// or the stream that a driver puts in its place.
type conversation struct {
	test         *ktest.Test
	room         int // which of its arguments says how long the input may be; -1: it is a stream
	size, object int // which of its objects are it; object -1: it is not there
	most         int // characters
	text         []byte
}

// streamObject is the standard input that a driver gives: its last byte says how many of the
// others there are.
const streamObject = input.StandardInput + ":content"

// streamOf is such an input; nil where a test has none.
func streamOf(t *ktest.Test) *conversation {
	at := slices.IndexFunc(t.Objects, func(o ktest.Object) bool { return o.Name == streamObject && len(o.Data) > 1 })
	if at < 0 {
		return nil
	}
	data := t.Objects[at].Data
	in := &conversation{test: t, room: -1, object: at, most: len(data) - 1}
	in.text = slices.Clone(data[:int(data[in.most])&in.most])
	return in
}

// inputOf finds it; nil: there is none, or none that may be longer.
func inputOf(t *ktest.Test) *conversation {
	if in := streamOf(t); in != nil {
		return in
	}
	t = t.AnyInput()
	in := &conversation{test: t, room: 1 + slices.IndexFunc(t.Args, func(a string) bool {
		a = strings.TrimLeft(a, "-")
		return a == "sym-stdin" || a == "sym-stdin-upto"
	})}
	in.object = slices.IndexFunc(t.Objects, func(o ktest.Object) bool { return o.Name == "stdin" })
	in.size = slices.IndexFunc(t.Objects, func(o ktest.Object) bool {
		return o.Name == "stdin_size" && len(o.Data) == 4
	})
	if in.room == 0 || in.room >= len(t.Args) || in.size < 0 {
		return nil
	}
	n := int(int32(binary.LittleEndian.Uint32(t.Objects[in.size].Data)))
	var err error
	if in.most, err = strconv.Atoi(t.Args[in.room]); err != nil || n < 0 || in.most < 0 || in.most > math.MaxInt32 {
		return nil
	}
	in.text = make([]byte, min(n, in.most))
	if in.object >= 0 {
		copy(in.text, t.Objects[in.object].Data)
	}
	return in
}

// with is the test with another text to read: of a stream, as much of it as there is room for.
func (in *conversation) with(text []byte) *ktest.Test {
	t := *in.test
	t.Args, t.Objects = slices.Clone(t.Args), slices.Clone(t.Objects)
	if in.room < 0 {
		data := make([]byte, in.most+1)
		data[in.most] = byte(copy(data[:in.most], text))
		t.Objects[in.object].Data = data
		return &t
	}
	t.Args[in.room] = fmt.Sprint(max(in.most, len(text)))
	t.Objects[in.size].Data = binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	if in.object < 0 {
		t.Objects = append(t.Objects, ktest.Object{Name: "stdin", Data: text})
	} else {
		t.Objects[in.object].Data = text
	}
	return &t
}
