package native

import (
	"io"
	"os"
	"strings"
	"testing"
)

// TestEveryKLEEOption checks that each option of KLEE's is understood, or refused by
// its name, and that those with a value take it as an argument of its own, too.
func TestEveryKLEEOption(t *testing.T) {
	text, err := os.ReadFile("testdata/klee-options.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, line := range strings.Split(string(text), "\n") {
		name, kind, ok := strings.Cut(line, " ")
		if !ok || name == "#" {
			continue
		}
		known++
		var parsed bool
		for _, value := range []string{"true", "false", "0", "1", "10s", "dfs", "main", "none", "all"} {
			fs := newFlagSet(io.Discard)
			var messages strings.Builder
			fs.SetOutput(&messages)
			fs.String("libc", "", "")
			fs.String("link-llvm-lib", "", "")
			args := []string{"--" + name + "=" + value, "program.ll"}
			if kind == "value" {
				args = []string{"--" + name, value, "program.ll"}
			}
			if err := new(settings).parse(fs, args); err == nil {
				parsed = true
				if fs.NArg() != 1 || fs.Arg(0) != "program.ll" {
					t.Errorf("%v leaves %v for the program", args, fs.Args())
				}
			} else if !strings.Contains(messages.String(), name) && !strings.Contains(messages.String(), value) {
				t.Errorf("%v: %q does not say what is wrong", args, messages.String())
			} else if strings.Contains(messages.String(), "not defined") {
				t.Errorf("--%s is not known", name)
			}
		}
		for _, r := range refused {
			if r == name && parsed {
				t.Errorf("--%s is refused and understood", name)
			}
		}
	}
	if known < 150 {
		t.Errorf("only %d options", known)
	}
}
