package project

import (
	"path/filepath"
	"regexp"
	"slices"

	"klabel/disk"
)

// asksFor matches the question by which a header that is a whole library finds out
// whether it is to bring its functions: one file defines the macro and includes it.
var asksFor = regexp.MustCompile(
	`(?m)^[ \t]*#[ \t]*(?:ifdef[ \t]+|if[ \t]+defined[ \t]*\(?[ \t]*)(\w*(?:IMPLEMENTATION|_IMPL))\b`)

// Implementation are the flags of the compiler by which a header that is a whole
// library brings its functions; none for other headers, and for what is no header.
func Implementation(path string) (flags []string) {
	if !isHeader(path) {
		return nil
	}
	text, err := disk.Read(path)
	if err != nil {
		return nil // who reads it next says so
	}
	for _, m := range asksFor.FindAllSubmatch(text, -1) {
		if flag := "-D" + string(m[1]); !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	return flags
}

// isHeader reports whether a file is called like a header.
func isHeader(path string) bool { return filepath.Ext(path) == ".h" }
