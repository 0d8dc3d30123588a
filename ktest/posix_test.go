package ktest

import (
	"fmt"
	"testing"
)

// A kept test has an input of the length that it was found with.
func TestFixedInput(t *testing.T) {
	open := func(size byte, data string, args ...string) *Test {
		return &Test{Version: Version, Args: args, Objects: []Object{{Name: "arg00", Data: []byte("a\x00")},
			{Name: "stdin_size", Data: []byte{size, 0, 0, 0}}, {Name: "stdin", Data: []byte(data)},
			{Name: "stdin_stat", Data: []byte("s")}, {Name: "x", Data: []byte{7}}}}
	}
	args := []string{"p", "--sym-arg", "1", "--sym-stdin-upto", "4", "end"}
	for _, c := range []struct {
		in   *Test
		want string
	}{
		{open(3, "abcd", args...), "[p --sym-arg 1 --sym-stdin 3 end] arg00=a\x00 stdin=abc stdin_stat=s x=\x07"},
		{open(4, "abcd", "p", "-sym-stdin-upto", "4"), "[p --sym-stdin 4] arg00=a\x00 stdin=abcd stdin_stat=s x=\x07"},
		{open(0, "abcd", args...), "[p --sym-arg 1 --sym-stdin-upto 4 end] arg00=a\x00 " +
			"stdin_size=\x00\x00\x00\x00 stdin=abcd stdin_stat=s x=\x07"},
		{open(3, "abcd", "p", "--sym-stdin", "4"), "[p --sym-stdin 3] arg00=a\x00 stdin=abc stdin_stat=s x=\x07"},
		{open(3, "ab", args...), "[p --sym-arg 1 --sym-stdin-upto 4 end] arg00=a\x00 stdin_size=\x03\x00\x00\x00 " +
			"stdin=ab stdin_stat=s x=\x07"},
	} {
		before := string(c.in.Bytes())
		out := c.in.FixedInput()
		got := fmt.Sprint(out.Args)
		for _, o := range out.Objects {
			got += fmt.Sprintf(" %s=%s", o.Name, o.Data)
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if string(c.in.Bytes()) != before {
			t.Errorf("%s: the test itself has changed", c.want)
		}
		if back := out.AnyInput(); len(back.Objects) != 5 || back.Objects[1].Name != "stdin_size" ||
			string(back.FixedInput().Bytes()) != string(out.Bytes()) {
			t.Errorf("%s: of any length it is %v", c.want, back.Objects)
		}
		if again := out.FixedInput(); string(again.Bytes()) != string(out.Bytes()) {
			t.Errorf("%s: it changes again", c.want)
		}
	}
}
