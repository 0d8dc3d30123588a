package csource

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// marker says that the text from off on (the line after the marker) is line
// `line` of file.
type marker struct {
	off    int // offset of the first byte after the marker's line
	start  int // offset of the marker itself
	file   string
	line   int
	system bool
}

type markers []marker

// readMarkers collects # N "file" flags and #line directives. The text before
// the first one is the file name itself, from line 1.
func readMarkers(text []byte, name string) markers {
	ms := markers{{file: plainName(name), line: 1}}
	for off := 0; off < len(text); {
		end := bytes.IndexByte(text[off:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += off
		}
		if m, ok := parseMarker(text[off:end]); ok {
			m.start, m.off = off, min(end+1, len(text))
			if m.file == "" {
				m.file = ms[len(ms)-1].file
			}
			ms = append(ms, m)
		}
		off = end + 1
	}
	return ms
}

// parseMarker reads one line marker or #line directive.
func parseMarker(line []byte) (m marker, ok bool) {
	b := bytes.TrimLeft(line, " \t")
	if len(b) == 0 || b[0] != '#' {
		return m, false
	}
	b = bytes.TrimLeft(b[1:], " \t")
	if bytes.HasPrefix(b, []byte("line")) {
		b = bytes.TrimLeft(b[4:], " \t")
	}
	i := 0
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(string(b[:i]))
	if err != nil {
		return m, false
	}
	m.line = n
	b = bytes.TrimSpace(b[i:])
	if len(b) == 0 {
		return m, true
	}
	if b[0] != '"' {
		return m, false
	}
	t := newLexer(b, 0).literal(0, 0)
	m.file = plainName(unescape(b[1:max(1, t.end-1)]))
	for _, f := range bytes.Fields(b[t.end:]) {
		m.system = m.system || string(f) == "3"
	}
	return m, true
}

// plainName is a file's name without parts that say nothing, as clang writes them of
// #include "./name.h": the same file has one name wherever it is named. What is
// above, "..", stays where a link stands before it.
func plainName(name string) string {
	for strings.Contains(name, "/./") {
		name = strings.ReplaceAll(name, "/./", "/")
	}
	for strings.HasPrefix(name, "./") && len(name) > 2 {
		name = strings.TrimLeft(name[2:], "/")
	}
	if !strings.Contains(name, "/..") {
		return name
	}
	if known, ok := upwards.Load(name); ok {
		return known.(string)
	}
	plain := name
	if clean := filepath.Clean(name); clean != name && oneFile(name, clean) {
		plain = clean
	}
	upwards.Store(name, plain)
	return plain
}

// upwards are the plain names of those with ".." in them: a unit's markers repeat them.
var upwards sync.Map // string -> string

// oneFile reports whether two names are of one file that is there.
func oneFile(a, b string) bool {
	of, err := os.Stat(a)
	if err != nil {
		return false
	}
	as, err := os.Stat(b)
	return err == nil && os.SameFile(of, as)
}

// unescape undoes the escapes of a file name in a marker. Compilers write octal ones;
// a person, or a generator of C, may write any in a #line.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b)
	}
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		if k := strings.IndexByte("abfnrtve", b[i]); k >= 0 {
			out = append(out, "\a\b\f\n\r\t\v\x1b"[k])
			continue
		}
		if b[i] == 'x' { // of any number of digits
			v, n := 0, 1
			for ; i+n < len(b); n++ {
				digit, err := strconv.ParseUint(string(b[i+n]), 16, 8)
				if err != nil {
					break
				}
				v = v<<4 | int(digit)
			}
			i += n - 1
			out = append(out, byte(v))
			continue
		}
		if b[i] < '0' || b[i] > '7' {
			out = append(out, b[i])
			continue
		}
		v, n := 0, 0
		for n < 3 && i < len(b) && b[i] >= '0' && b[i] <= '7' {
			v, n, i = v*8+int(b[i]-'0'), n+1, i+1
		}
		i--
		out = append(out, byte(v))
	}
	return string(out)
}

// at returns the marker that governs the offset.
func (ms markers) at(off int) marker {
	i := sort.Search(len(ms), func(i int) bool { return ms[i].start > off })
	return ms[max(0, i-1)]
}

// quoteFile writes a file name as a C string.
func quoteFile(name string) string {
	var b []byte
	b = append(b, '"')
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, fmt.Sprintf("\\%03o", c)...)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}
