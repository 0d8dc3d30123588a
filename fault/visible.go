package fault

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Visible shows what a terminal would obey: control characters are written as
// ^[ and the like, what reorders text and what is no UTF-8 as U+FFFD. Text of
// sources and names of files come from other people.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return utf8.RuneError
		}
		return r
	}, controls.Replace(strings.ToValidUTF8(s, string(utf8.RuneError))))
}

var controls = func() *strings.Replacer {
	pairs := []string{"\x7f", "^?"}
	for c := byte(0); c < ' '; c++ {
		if c != '\n' && c != '\t' {
			pairs = append(pairs, string(rune(c)), "^"+string(rune(c+'@')))
		}
	}
	return strings.NewReplacer(pairs...)
}()

// CheckName refuses the name of a file that a line, a terminal or UTF-8 cannot hold.
func CheckName(name string) error {
	if Visible(name) != name || strings.ContainsAny(name, "\n\t") {
		return WithHint(fmt.Errorf("%q: %w", name, ErrName), "rename it")
	}
	return nil
}

// ErrName says what is wrong with such a name.
var ErrName = errors.New("the name holds control characters or is not UTF-8")
