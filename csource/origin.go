package csource

import (
	"bytes"
	"os"
	"path/filepath"
	"sort"

	"klabel/disk"
	"klabel/label"
)

// Origin is where text of a unit came from.
type Origin struct {
	File   string
	Line   int // from 1
	Column int // from 1; 0 when unknown
	System bool
	Macro  string // the outermost macro whose use holds the text, "" if none
}

// Position is the origin in the words of package label.
func (o Origin) Position() label.Position {
	return label.Position{File: o.File, Line: o.Line, Column: o.Column, Macro: o.Macro}
}

// Origin maps an offset of u.Text to the user's source. Line and file come
// from the line markers. Column and macro come from a comparison with the
// user's file, when it can be read and still is what it was.
func (u *Unit) Origin(off int) Origin {
	m := u.markers.at(off)
	n := u.lineIndex(off)
	o := Origin{File: m.file, System: m.system, Line: m.line + n - u.lineIndex(m.off)}
	if off < m.off { // on the marker's own line
		o.Line = m.line
		return o
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	lm := u.alignedLine(n, o)
	if lm != nil {
		o.Column, o.Macro = lm.at(off)
	}
	return o
}

// LineOf is the line of an offset in the user's source: Origin without the
// comparison.
func (u *Unit) LineOf(off int) (file string, line int) {
	m := u.markers.at(off)
	return m.file, m.line + max(0, u.lineIndex(off)-u.lineIndex(m.off))
}

// IsSystem reports whether the text at off comes from a system header.
func (u *Unit) IsSystem(off int) bool { return u.markers.at(off).system }

// lineIndex is the number of newlines before off.
func (u *Unit) lineIndex(off int) int {
	return sort.Search(len(u.lineStarts), func(i int) bool { return int(u.lineStarts[i]) > off }) - 1
}

func lineStarts(text []byte) []int32 {
	out := make([]int32, 1, 1+bytes.Count(text, []byte("\n")))
	for off := 0; ; {
		i := bytes.IndexByte(text[off:], '\n')
		if i < 0 {
			return out
		}
		off += i + 1
		out = append(out, int32(off))
	}
}

// originFile is a source file of the user's.
type originFile struct {
	text   []byte
	starts []int32
}

// file reads a source file once; nil when it cannot be read.
func (u *Unit) file(name string) *originFile {
	if f, ok := u.files[name]; ok {
		return f
	}
	var f *originFile
	if len(name) > 0 && name[0] != '<' {
		path := name
		if !filepath.IsAbs(path) {
			if _, err := os.Stat(path); err != nil {
				path = filepath.Join(filepath.Dir(u.Path), name)
			}
		}
		if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() && fi.Size() <= maxText {
			if text, err := disk.Read(path); err == nil {
				f = &originFile{text: text, starts: lineStarts(text)}
			}
		}
	}
	u.files[name] = f
	return f
}

// OriginText returns the text of the user's source file as it is on disk, or
// nil when it cannot be read.
func (u *Unit) OriginText(name string) []byte {
	u.mu.Lock()
	defer u.mu.Unlock()
	if f := u.file(name); f != nil {
		return f.text
	}
	return nil
}

// lineMap places the tokens of one line of the text in the user's line.
type lineMap struct {
	starts []int // offsets of tokens in Unit.Text
	column []int
	macro  []string

	// A line that stands in the user's file as it is needs no tables, only where
	// it begins.
	verbatim bool
	start    int
}

// at is the column and the macro of the token at an offset.
func (lm *lineMap) at(off int) (int, string) {
	if lm.verbatim {
		return off - lm.start + 1, ""
	}
	i := sort.SearchInts(lm.starts, off+1) - 1
	if i < 0 {
		i = 0
	}
	if i >= len(lm.starts) {
		return 0, ""
	}
	return lm.column[i], lm.macro[i]
}

// alignedLine compares line n of the text with the user's line o.
func (u *Unit) alignedLine(n int, o Origin) *lineMap {
	if lm, ok := u.lines[n]; ok {
		return lm
	}
	var lm *lineMap
	f := u.file(o.File)
	if f != nil && o.Line >= 1 && o.Line <= len(f.starts) {
		start := int(u.lineStarts[n])
		end := len(u.Text)
		if n+1 < len(u.lineStarts) {
			end = int(u.lineStarts[n+1])
		}
		lm = align(u.Text, Span{start, end}, f.text, int(f.starts[o.Line-1]), u.macros, u.labels)
	}
	u.lines[n] = lm
	return lm
}
