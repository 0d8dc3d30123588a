package report

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// folded breaks the text of a cell into lines of a width: between words, and
// inside a word that is longer than a line where it reads best: behind a slash of
// a path or before an arrow of C, then behind an underscore, a parenthesis or a
// comma, before a capital, and anywhere as a last resort. So "src/name.c:12:3" is parted before its
// line number only where not even "name.c:12:3" fits.
func folded(text string, width int) string {
	width = max(width, 1)
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		line := ""
		room := func(s string) bool { return utf8.RuneCountInString(line)+utf8.RuneCountInString(s) <= width }
		put := func(s string) {
			if !room(s) && line != "" {
				lines = append(lines, strings.TrimRight(line, " "))
				line = ""
			}
			line += s
		}
		for _, word := range strings.Fields(l) {
			if line != "" {
				line += " "
			}
			if utf8.RuneCountInString(word) <= width {
				put(word)
				continue
			}
			for _, piece := range pieces(word, width) {
				put(piece)
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(lines, "\n")
}

// pieces are parts of a word, none longer than width.
func pieces(word string, width int) (out []string) {
	for _, p := range cut(word, "/", "->") {
		if utf8.RuneCountInString(p) <= width {
			out = append(out, p)
			continue
		}
		for _, q := range cut(p, "_(,", ":") {
			parts := []string{q}
			if utf8.RuneCountInString(q) > width {
				parts = capital.FindAllString(q, -1)
			}
			for _, q := range parts {
				for utf8.RuneCountInString(q) > width {
					head := string([]rune(q)[:width])
					out, q = append(out, head), q[len(head):]
				}
				out = append(out, q)
			}
		}
	}
	return out
}

// capital finds parts of a word that end before a capital letter behind a small one.
var capital = regexp.MustCompile(`[^a-z]*[a-z]+|.+`)

// cut parts a word behind each of some characters, and before a mark.
func cut(word, behind, before string) (out []string) {
	from := 0
	for i := range word {
		if i > from && (strings.ContainsRune(behind, rune(word[i-1])) || strings.HasPrefix(word[i:], before)) {
			out = append(out, word[from:i])
			from = i
		}
	}
	return append(out, word[from:])
}

// longest is the width of the longest part of a text that folded parts unwillingly.
func longest(text string) int {
	n := 0
	for _, word := range strings.Fields(text) {
		for _, p := range cut(word, "/", "->") {
			n = max(n, utf8.RuneCountInString(p))
		}
	}
	return n
}
