package csource

import "strings"

// Header is a file that the preprocessor read beside the source.
type Header struct {
	File   string // as the preprocessor names it
	System bool
}

// Headers are the files that the unit is made of beside its source, those that only
// define macros included, in the order in which they were first read. A unit that
// was parsed from preprocessed text has none.
func (u *Unit) Headers() []Header { return u.headers }

// headersIn reads them from what the preprocessor wrote.
func headersIn(text []byte, source string) (out []Header) {
	seen := map[string]bool{source: true, "": true}
	for _, m := range readMarkers(text, source) {
		if !seen[m.file] && !strings.HasPrefix(m.file, "<") { // <built-in>, <command line>
			out = append(out, Header{m.file, m.system})
		}
		seen[m.file] = true
	}
	return out
}
