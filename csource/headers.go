package csource

import (
	"os"
	"strings"
)

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

// checkHeaders refuses devices, which clang reads as empty files. (Of one that has no
// end, as a pipe, the compiler's run says so: see package toolchain.)
func checkHeaders(source string, headers []Header) error {
	for _, h := range headers {
		if fi, err := os.Stat(h.File); err == nil && fi.Mode()&os.ModeDevice != 0 && h.File != os.DevNull {
			return &Error{File: source, Message: "includes " + h.File + ", which is a device: want a file",
				Cause: os.ErrInvalid}
		}
	}
	return nil
}
