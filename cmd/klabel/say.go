package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"klabel/fault"
	"klabel/report"
)

// say writes a message to standard error, a line each of its lines. On a terminal
// long ones break between words; hints, which are there to be copied, and what a compiler indents do not.
func say(w io.Writer, text string) {
	for _, line := range said(text, columns(w)) {
		fmt.Fprintln(w, line)
	}
}

// said are the lines of a message, for a terminal of some columns (0: none). What it says of several files in the
// same words, as of a header that all of them lack, it says once.
func said(text string, columns int) (out []string) {
	seen, again := map[string]bool{}, false
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		line = fault.Visible(line)
		if !strings.HasPrefix(line, " ") { // else it belongs to what it stands below
			again, seen[line] = seen[line], true
		}
		if again {
			continue
		}
		long := columns > 40 && utf8.RuneCountInString("klabel: "+line) > columns
		if long && !strings.HasPrefix(line, "hint: ") && !strings.HasPrefix(line, " ") {
			out = append(out, strings.Split(report.Wrapped("klabel: ", line, columns), "\n")...)
			continue
		}
		out = append(out, "klabel: "+line)
	}
	return out
}

// columns is the width of the terminal that is written to, 0 where it is none.
func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return n
		}
	}
	return 0
}
