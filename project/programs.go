package project

import (
	"os"
	"regexp"
)

// reMain finds a definition of main, in the old style too. A call ends with a
// semicolon, and a declaration.
var (
	reMain    = regexp.MustCompile(`\bmain\s*\([^(){};]*\)\s*(\{|[a-zA-Z_])`)
	reComment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"`)
)

// DefinesMain reports whether a C file seems to define main: what the preprocessor leaves of it
// is not asked.
func DefinesMain(path string) bool {
	b, err := os.ReadFile(path)
	return err == nil && reMain.Match(reComment.ReplaceAll(b, []byte(" ")))
}

// ArePrograms reports whether files are programs, most of them, and not the parts of one:
// more than half, and two at least, define main.
func ArePrograms(paths []string) bool {
	n := 0
	for _, p := range paths {
		if DefinesMain(p) {
			n++
		}
	}
	return n > 1 && 2*n > len(paths)
}
