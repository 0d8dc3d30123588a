package csource

import "bytes"

// maxLineTokens bounds the comparison of a line, whose cost is the product of
// both token counts. Longer lines get no columns.
const maxLineTokens = 3000

// originItem is a part of the user's line: a token, or a whole use of a macro.
type originItem struct {
	start int
	text  []byte // nil for a macro use
	macro string
}

// align compares one line of preprocessed text with the line of the user's
// file that it came from. Where both lines have the same token, the column is
// that of the user's; tokens that the user's line lacks come from the macro
// use that stands in their place, or were put in by a tool, and then take the
// column of what follows them.
func align(text []byte, line Span, src []byte, srcLine int, macros macroTable, labels []string) *lineMap {
	if end := lineEnd(src, srcLine); line.End-1 >= line.Start &&
		bytes.Equal(bytes.TrimRight(text[line.Start:line.End], "\r\n"), bytes.TrimRight(src[srcLine:end], "\r")) {
		return &lineMap{verbatim: true, start: line.Start}
	}
	var got []token
	for l := newLexer(text[:line.End], line.Start); len(got) <= maxLineTokens; {
		t, ok := l.next()
		if !ok {
			break
		}
		got = append(got, t)
	}
	want := originItems(src, srcLine, macros)
	if len(got) == 0 || len(got) > maxLineTokens || len(want) > maxLineTokens {
		return nil
	}
	col := func(i int) int {
		start := want[i].start
		if nl := bytes.LastIndexByte(src[:start], '\n'); nl >= 0 {
			return start - nl
		}
		return start + 1
	}
	match := longestCommon(got, text, want)
	lm := &lineMap{starts: make([]int, len(got)), column: make([]int, len(got)), macro: make([]string, len(got))}
	for i := 0; i < len(got); {
		lm.starts[i] = got[i].start
		if match[i] >= 0 {
			lm.column[i] = col(match[i])
			i++
			continue
		}
		// A run of tokens that the user's line lacks: a macro stands between
		// the neighbours that both have, or nothing does.
		j := i
		for j < len(got) && match[j] < 0 {
			j++
		}
		lo, hi := 0, len(want)
		if i > 0 {
			lo = match[i-1] + 1
		}
		if j < len(got) {
			hi = match[j]
		}
		lm.fill(got, i, j, text, src, want, lo, hi, col, labels)
		i = j
	}
	return lm
}

// fill places the tokens i..j that stand between the user's items lo..hi.
func (lm *lineMap) fill(got []token, i, j int, text, src []byte, want []originItem, lo, hi int, col func(int) int,
	labels []string) {
	var uses []int
	for k := lo; k < hi; k++ {
		if want[k].macro != "" {
			uses = append(uses, k)
		}
	}
	// Without a macro table (text that was preprocessed elsewhere) an
	// identifier that vanished must have been a macro.
	if len(uses) == 0 {
		for k := lo; k < hi; k++ {
			if want[k].text != nil && isIdentStart(want[k].text[0]) {
				want[k].macro = string(want[k].text)
				uses = append(uses, k)
				break
			}
		}
	}
	c, m := 0, ""
	switch {
	case len(uses) > 0:
		c, m = col(uses[0]), want[uses[0]].macro
	case hi < len(want):
		c = col(hi)
	case len(want) > 0:
		c = col(len(want) - 1)
	}
	for k := i; k < j; k++ {
		lm.starts[k], lm.column[k], lm.macro[k] = got[k].start, c, m
	}
}

// originItems cuts the user's line into tokens; a use of a known macro is one
// item, and may reach over the line's end.
func originItems(src []byte, off int, macros macroTable) []originItem {
	end := lineEnd(src, off)
	var out []originItem
	l := newLexer(src, off)
	for l.off < end {
		t, ok := l.next()
		if !ok || t.start >= end {
			break
		}
		if t.kind == tokDirective {
			continue
		}
		it := originItem{start: t.start, text: src[t.start:t.end]}
		if t.kind == tokIdent {
			if function, ok := macros[string(it.text)]; ok {
				closing := -1
				if function {
					peek := *l
					if p, ok := peek.next(); ok && p.kind == tokPunct && src[p.start] == '(' {
						closing = skipBalanced(src, p.start)
					}
				}
				if !function || closing > 0 {
					it.macro, it.text = string(it.text), nil
				}
				if closing > 0 {
					l.off = closing
				}
			}
		}
		out = append(out, it)
		if len(out) > maxLineTokens {
			break
		}
	}
	return out
}

// longestCommon matches tokens with items in order; match[i] is an index into
// want or -1.
func longestCommon(got []token, text []byte, want []originItem) []int {
	match := make([]int, len(got))
	for i := range match {
		match[i] = -1
	}
	same := func(i, j int) bool {
		return want[j].text != nil && bytes.Equal(text[got[i].start:got[i].end], want[j].text)
	}
	lo, g, w := 0, len(got), len(want)
	for lo < g && lo < w && same(lo, lo) {
		match[lo] = lo
		lo++
	}
	for g > lo && w > lo && same(g-1, w-1) {
		g, w = g-1, w-1
		match[g] = w
	}
	n, m := g-lo, w-lo
	if n == 0 || m == 0 {
		return match
	}
	// len[i][j]: longest match of got[lo+i:g] with want[lo+j:w].
	table := make([]int16, (n+1)*(m+1))
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			best := max(table[(i+1)*(m+1)+j], table[i*(m+1)+j+1])
			if same(lo+i, lo+j) {
				best = max(best, table[(i+1)*(m+1)+j+1]+1)
			}
			table[i*(m+1)+j] = best
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case same(lo+i, lo+j) && table[i*(m+1)+j] == table[(i+1)*(m+1)+j+1]+1:
			match[lo+i] = lo + j
			i, j = i+1, j+1
		case table[(i+1)*(m+1)+j] >= table[i*(m+1)+j+1]:
			i++
		default:
			j++
		}
	}
	return match
}
