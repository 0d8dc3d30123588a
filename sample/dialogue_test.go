package sample

import (
	"strings"
	"testing"
	"time"

	"klabel/ktest"
	"klabel/label"
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
	s.Converse(&Constants{whole: []int{5, 4711}, Words: []string{"push", "two words", "%d"}}, e)
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
