package csource

import (
	"bytes"
	"fmt"
)

// macroTable holds the macros that the source or its headers define, and
// whether they take arguments.
type macroTable map[string]bool

// parseDefine reads a #define or #undef line.
func parseDefine(line []byte) (undef bool, name string, function, ok bool) {
	b := bytes.TrimLeft(line, " \t")
	if len(b) == 0 || b[0] != '#' {
		return false, "", false, false
	}
	b = bytes.TrimLeft(b[1:], " \t")
	switch {
	case bytes.HasPrefix(b, []byte("define")):
		b = b[len("define"):]
	case bytes.HasPrefix(b, []byte("undef")):
		b, undef = b[len("undef"):], true
	default:
		return false, "", false, false
	}
	if len(b) == 0 || b[0] != ' ' && b[0] != '\t' {
		return false, "", false, false
	}
	b = bytes.TrimLeft(b, " \t")
	i := 0
	for i < len(b) && isIdentPart(b[i]) {
		i++
	}
	return undef, string(b[:i]), i < len(b) && b[i] == '(', i > 0
}

// maxBlank is how many empty lines stand before a line marker is shorter.
const maxBlank = 8

// tidy takes the macro definitions out of the output of clang -E -dD, writes
// its line markers without include-stack flags and drops what only held macros.
// redefined lists the files that define a label macro themselves.
func tidy(raw []byte, path string, labelNames []string) (text []byte, macros macroTable, redefined []string) {
	macros = macroTable{}
	isLabel := map[string]bool{}
	for _, n := range labelNames {
		isLabel[n] = true
	}
	w := tidyWriter{cur: marker{file: plainName(path), line: 1}, moved: true}
	w.out.Grow(len(raw) / 2)
	for off := 0; off < len(raw); {
		end := bytes.IndexByte(raw[off:], '\n')
		if end < 0 {
			end = len(raw)
		} else {
			end += off
		}
		line := raw[off:end]
		off = end + 1
		if len(line) > 0 && line[0] == '#' {
			if m, ok := parseMarker(line); ok {
				if m.file == "" {
					m.file, m.system = w.cur.file, w.cur.system
				}
				w.jump(m)
				continue
			}
			if undef, name, function, ok := parseDefine(line); ok {
				builtin := len(w.cur.file) > 0 && w.cur.file[0] == '<'
				if !builtin && !undef {
					macros[name] = function
				}
				if !builtin && isLabel[name] && !contains(redefined, w.cur.file) {
					redefined = append(redefined, w.cur.file)
				}
				w.line(nil)
				continue
			}
		}
		w.line(line)
	}
	for n := range isLabel {
		delete(macros, n)
	}
	return w.out.Bytes(), macros, redefined
}

// tidyWriter writes lines and the markers that they need.
type tidyWriter struct {
	out    bytes.Buffer
	cur    marker // file and number of the next line that comes in
	moved  bool   // a marker is due before the next line with text
	blank  int    // empty lines held back
	system bool   // what the last marker written said
}

func (w *tidyWriter) jump(m marker) {
	// A marker that only confirms where the text stands is dropped; a short way
	// forward in the same file is a few empty lines.
	if !w.moved && m.file == w.cur.file && m.system == w.cur.system {
		if d := m.line - w.cur.line; d >= 0 && w.blank+d <= maxBlank {
			w.blank += d
			w.cur = m
			return
		}
	}
	w.cur, w.moved, w.blank = m, true, 0
}

func (w *tidyWriter) line(b []byte) {
	w.cur.line++
	if len(bytes.TrimSpace(b)) == 0 {
		w.blank++
		if w.blank > maxBlank {
			w.moved = true
		}
		return
	}
	if w.moved {
		w.marker(w.cur.line - 1)
	} else {
		for range w.blank {
			w.out.WriteByte('\n')
		}
	}
	w.blank, w.moved = 0, false
	w.out.Write(b)
	w.out.WriteByte('\n')
}

func (w *tidyWriter) marker(line int) {
	writeMarker(&w.out, line, w.cur.file, w.cur.system, w.system)
	w.system = w.cur.system
}

// writeMarker writes a line marker that people and compilers can both use:
// #line for the user's files, # N "file" 3 for system headers, whose warnings
// stay silent that way. Only the short form without flags makes clang leave
// the system state.
func writeMarker(out *bytes.Buffer, line int, file string, system, wasSystem bool) {
	switch {
	case system:
		fmt.Fprintf(out, "# %d %s 3\n", line, quoteFile(file))
	case wasSystem:
		fmt.Fprintf(out, "# %d %s\n", line, quoteFile(file))
	default:
		fmt.Fprintf(out, "#line %d %s\n", max(line, 1), quoteFile(file))
	}
}

// splitMacros takes macro definitions out of preprocessed text that still has
// them (clang -E -dD), leaving empty lines.
func splitMacros(text []byte) ([]byte, macroTable) {
	macros := macroTable{}
	if !bytes.Contains(text, []byte("#define")) && !bytes.Contains(text, []byte("#undef")) {
		return text, macros
	}
	out := bytes.Clone(text)
	l := newLexer(text, 0)
	for {
		t, ok := l.next()
		if !ok {
			return out, macros
		}
		if t.kind != tokDirective {
			continue
		}
		if undef, name, function, ok := parseDefine(text[t.start:t.end]); ok {
			if !undef {
				macros[name] = function
			}
			blank(out[t.start:t.end])
		}
	}
}
