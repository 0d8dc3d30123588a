package csource

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Lines are whole lines of a user's file that hold functions, and what stands
// there after preprocessing.
type Lines struct {
	File        string // as line markers name it
	First, Last int    // from 1
	Text        []byte // without line markers
	Own         bool   // File is the unit's own, and no header
}

// FunctionLines returns the lines of those functions whose text is wanted, in
// the order of the text. Functions that share a line come together.
func (u *Unit) FunctionLines(want func(text []byte) bool) []Lines {
	type lines struct {
		Lines
		span   Span
		wanted bool
	}
	var all []lines
	for _, f := range u.Functions() {
		if f.Origin.System {
			continue
		}
		l := lines{span: f.Span, wanted: want(u.Text[f.Span.Start:f.Span.End])}
		l.File, l.First = u.LineOf(f.Span.Start)
		file, last := u.LineOf(f.Span.End - 1)
		if l.Last = last; file != l.File || last < l.First {
			continue // put together from several files
		}
		l.Own = l.File == plainName(u.Path)
		if n := len(all) - 1; n >= 0 && all[n].File == l.File && all[n].First <= l.First && l.First <= all[n].Last {
			all[n].Last, all[n].span.End, all[n].wanted = max(all[n].Last, last), f.Span.End, all[n].wanted || l.wanted
			continue
		}
		all = append(all, l)
	}
	var out []Lines
	for _, l := range all {
		if !l.wanted {
			continue
		}
		from := bytes.LastIndexByte(u.Text[:l.span.Start], '\n') + 1
		for _, line := range bytes.SplitAfter(u.Text[from:lineEnd(u.Text, l.span.End)], []byte("\n")) {
			if _, marker := parseMarker(bytes.TrimRight(line, "\n")); !marker {
				l.Text = append(l.Text, line...)
			}
		}
		out = append(out, l.Lines)
	}
	return out
}

// Splice puts others in place of lines of a file: what with gives, and after it
// the directives that decide what is compiled, or define macros, so that the
// rest of the file means what it did. Lines are left as they are where they
// begin or end within a comment or a longer line; where units disagree, or one
// of them has them twice, in which case they mean several things; and in headers
// where what is compiled depends on directives.
func Splice(src []byte, ls []Lines, with func(Lines) string) []byte {
	ls = slices.Clone(ls)
	slices.SortStableFunc(ls, func(a, b Lines) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last))
	})
	starts, dirty, directives := layLines(src)
	end := func(line int) int { // where the line after it begins
		if line < len(starts) {
			return starts[line]
		}
		return len(src)
	}
	var out []byte
	pos := 0
	for i, l := range ls {
		apart := (i == 0 || ls[i-1].Last < l.First) && (i+1 == len(ls) || l.Last < ls[i+1].First)
		if !apart || l.First < 1 || l.Last > len(starts) || dirty[starts[l.First-1]] || dirty[end(l.Last)] {
			continue
		}
		var kept strings.Builder
		conditional := false
		for _, d := range directives {
			if d.start < starts[l.First-1] || d.start >= end(l.Last) {
				continue
			}
			text := string(src[d.start:d.end])
			switch name := directiveName(text); name {
			case "define", "undef":
				kept.WriteString(text + "\n")
			case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif":
				conditional = true
				kept.WriteString(text + "\n")
			}
		}
		if conditional && !l.Own {
			continue
		}
		out = append(out, src[pos:starts[l.First-1]]...)
		out = append(out, with(l)...)
		out = append(out, kept.String()...)
		pos = end(l.Last)
	}
	return append(out, src[pos:]...)
}

// SameLines joins what several units say of the lines of one file: what is the
// same in all is there once.
func SameLines(ls []Lines) []Lines {
	var out []Lines
	for _, l := range ls {
		if !slices.ContainsFunc(out, func(o Lines) bool {
			return o.First == l.First && o.Last == l.Last && bytes.Equal(o.Text, l.Text)
		}) {
			out = append(out, l)
		}
	}
	return out
}

func directiveName(text string) string {
	f := strings.TrimLeft(strings.TrimPrefix(text, "#"), " \t")
	for i := 0; i < len(f); i++ {
		if !isIdentPart(f[i]) {
			return f[:i]
		}
	}
	return f
}

// layLines finds where each line begins, which of these places are within a
// comment, a token or a line that goes on, and the directives.
func layLines(src []byte) (starts []int, dirty map[int]bool, directives []token) {
	dirty = map[int]bool{}
	starts = append(starts, 0)
	for i, c := range src {
		if c == '\n' && i+1 < len(src) {
			starts = append(starts, i+1)
		}
	}
	within := func(from, to int) {
		for i := from; i < to; i++ {
			if src[i] == '\n' {
				dirty[i+1] = true
			}
		}
	}
	l, gap := newLexer(src, 0), 0
	for {
		t, ok := l.next()
		if !ok {
			t = token{start: len(src), end: len(src)}
		}
		for i := gap; i < t.start; {
			switch {
			case bytes.HasPrefix(src[i:], []byte("/*")):
				e := commentEnd(src, i)
				within(i, e)
				i = e
			case bytes.HasPrefix(src[i:], []byte("//")):
				e := lineEnd(src, i)
				within(i, e)
				i = e
			case src[i] == '\\':
				within(i, min(i+2, len(src)))
				i++
			default:
				i++
			}
		}
		within(t.start, t.end)
		if gap = t.end; !ok {
			return starts, dirty, directives
		}
		if t.kind == tokDirective {
			directives = append(directives, t)
		}
	}
}

// Words are the identifiers of a text, keywords included, in order, each once.
func Words(text []byte) []string {
	seen := map[string]bool{}
	for l := newLexer(text, 0); ; {
		t, ok := l.next()
		if !ok {
			break
		}
		if t.kind == tokIdent {
			seen[string(text[t.start:t.end])] = true
		}
	}
	out := make([]string, 0, len(seen))
	for w := range seen {
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}
