package sample

import (
	"strings"
	"testing"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
)

// TestTalk holds drawn conversations to what a menu wants: its own numbers and words, the
// same again and again, what was worth to be kept taken up and continued, and in the end
// the answer that leaves it; words no more where they only hang a run.
func TestTalk(t *testing.T) {
	s := New(1, 2, &Constants{}, []string{"menu", "--sym-stdin-upto", "16"})
	if base := s.corpus[0]; s.talk(&base) != nil {
		t.Error("a conversation, though nobody wants one")
	}
	e := NewEndings([]string{"8\n9", "8", "9", "7"}, time.Second)
	s.Converse(&Constants{whole: []int{5, 4711}, Words: []string{"push", "two words", "%d"}}, e, true)
	for _, c := range []struct {
		want string
		ends bool
	}{{"8\n9\n8\n9\n", true}, {"8\n8\n", false}, {"9\n9\n", true}} {
		base, test := s.Draw()
		if text := string(inputOf(test).text); !strings.HasPrefix(text, c.want) || base.trying == "" {
			t.Fatalf("it begins with %q, not with %q", text, c.want)
		}
		v := label.Verdict{Outcome: label.TimedOut}
		if c.ends {
			v.Outcome = label.Normal
		}
		s.Timed(base, v)
	}
	if e.Known() != "9" || s.tryToLeave(&Base{}) != nil {
		t.Errorf("%q leaves it, %q are still tried", e.Known(), s.speech.tries)
	}
	e.ended = 0 // nothing is known to leave it
	s.corpus[0].test.Objects = []ktest.Object{{Name: "stdin_size", Data: []byte{4, 0, 0, 0}},
		{Name: "stdin", Data: []byte("7777 8888")}}
	seen := map[string]bool{}
	talk := func() []string {
		base := s.corpus[0]
		got := s.talk(&base)
		in := inputOf(got)
		if in == nil || len(in.text) > longestTalk+endingTimes*2 {
			t.Fatalf("%v, %v", got.Args, got.Objects)
		}
		if base.worded {
			seen["worded"] = true
		}
		return strings.Fields(string(in.text))
	}
	for range 2000 {
		said := talk()
		for i, w := range said {
			seen[w] = true
			if i > 20 && said[i-1] == w && said[i-9] == w {
				seen["the same"] = true
			}
		}
		if said[0] == "7777" && len(said) > 1 {
			seen["continued"] = true
		}
	}
	for _, want := range []string{"0", "1", "5", "4710", "push", "q", "worded", "the same", "continued"} {
		if !seen[want] {
			t.Errorf("nobody ever says %q", want)
		}
	}
	if seen["two"] || seen["%d"] || seen["8888"] {
		t.Error("what is no answer is said")
	}
	e.ended, s.speech.mute = 1, mostMute
	seen = map[string]bool{}
	for range 200 {
		said := talk()
		if n := len(said) - endingTimes; n < 0 || strings.Trim(strings.Join(said[n:], ""), "9") != "" {
			t.Fatalf("%q does not end with what leaves the menu", said)
		}
	}
	if seen["worded"] {
		t.Error("words, though they hang the runs")
	}
}

// TestTalkToDriver: where a driver gives the standard input, a conversation is as long as its stream has room,
// and the last byte tells how long that is. Nobody tries to leave what is no program.
func TestTalkToDriver(t *testing.T) {
	e := NewEndings([]string{"8", "9"}, time.Second)
	for program, tries := range map[bool]int{true: len(e.texts), false: 0} {
		s := New(1, 2, &Constants{}, nil)
		s.Converse(&Constants{whole: []int{5}}, e, program)
		if _, test := s.Draw(); len(test.Objects) > 0 || len(s.speech.tries) != tries {
			t.Fatalf("program %v: first comes %v, and %q are tried", program, test.Objects, s.speech.tries)
		}
		stream := make([]byte, 16)
		copy(stream, "7 7")
		stream[15] = 3
		s.Learn(s.corpus[0], s.corpus[0].test, []replayer.Asked{{Name: "x", Data: []byte{1}},
			{Name: streamObject, Data: stream}}, label.Verdict{}, true)
		if got := s.tryToLeave(&Base{}); (got != nil) != program {
			t.Fatalf("program %v: the first answer to leave it is %v", program, got)
		} else if program && string(inputOf(got).text) != "8\n8\n8\n8\n8\n8\n8\n8" {
			t.Errorf("it is %q", inputOf(got).text)
		}
		longest := 0
		for range 200 {
			base := s.corpus[len(s.corpus)-1]
			talk := s.talk(&base)
			data := talk.Objects[1].Data
			if len(data) != len(stream) || int(data[15]) > 15 || talk.Objects[0].Data[0] != 1 {
				t.Fatalf("a conversation is %v", talk.Objects)
			}
			longest = max(longest, int(data[15]))
		}
		if longest != 15 {
			t.Errorf("no conversation has more than %d characters", longest)
		}
	}
}
