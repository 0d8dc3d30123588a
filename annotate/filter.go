package annotate

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"klabel/csource"
	"klabel/fault"
)

// filter decides which functions and lines are labelled.
type filter struct {
	o       *Options
	lines   []lineRange
	ignored map[string]map[int]bool // by file: lines that comments take out
	u       *csource.Unit
}

type lineRange struct {
	file     string // glob; "" for any
	from, to int
}

func newFilter(u *csource.Unit, o *Options) (*filter, error) {
	f := &filter{o: o, u: u, ignored: map[string]map[int]bool{}}
	for _, l := range o.Lines {
		for _, part := range strings.Split(l, ",") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			r, err := parseLines(part)
			if err != nil {
				return nil, err
			}
			f.lines = append(f.lines, r)
		}
	}
	for _, globs := range [][]string{o.Functions, o.SkipFunctions, o.FileGlobs} {
		for _, g := range globs {
			if !doublestar.ValidatePattern(g) {
				return nil, fault.WithHint(fault.Usagef("%q is not a pattern", g),
					"* and ? match, [a-z] is a set, ** crosses folders")
			}
		}
	}
	return f, nil
}

// parseLines reads N, FROM-TO and FILE:FROM-TO.
func parseLines(s string) (r lineRange, err error) {
	span := s
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		r.file, span = s[:i], s[i+1:]
	}
	from, to, dash := strings.Cut(span, "-")
	if r.from, err = strconv.Atoi(strings.TrimSpace(from)); err == nil {
		r.to = r.from
		if dash {
			r.to, err = strconv.Atoi(strings.TrimSpace(to))
		}
	}
	if err != nil || r.from < 1 || r.to < r.from {
		return r, fault.WithHint(fault.Usagef("%q is not a range of lines", s),
			"--lines 10-20 or --lines f.c:10-20")
	}
	return r, nil
}

// function reports whether a function is labelled at all.
func (f *filter) function(fn *csource.Function) bool {
	if fn.Origin.System || matchAny(f.o.SkipFunctions, fn.Name) {
		return false
	}
	return len(f.o.Functions) == 0 || matchAny(f.o.Functions, fn.Name)
}

func matchAny(globs []string, name string) bool {
	for _, g := range globs {
		if ok, _ := doublestar.Match(g, name); ok {
			return true
		}
	}
	return false
}

// matchFile compares a pattern with a path, its end or its last element.
func matchFile(glob, path string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	for _, g := range []string{glob, "**/" + strings.TrimPrefix(glob, "./")} {
		if ok, _ := doublestar.Match(filepath.ToSlash(g), path); ok {
			return true
		}
	}
	return false
}

// at reports whether labels may stand at an offset of the text.
func (f *filter) at(off int) bool {
	if f.u.IsSystem(off) {
		return false
	}
	file, line := f.u.LineOf(off)
	if len(f.o.FileGlobs) > 0 {
		ok := false
		for _, g := range f.o.FileGlobs {
			ok = ok || matchFile(g, file)
		}
		if !ok {
			return false
		}
	}
	if len(f.lines) > 0 {
		ok := false
		for _, r := range f.lines {
			ok = ok || r.from <= line && line <= r.to && (r.file == "" || matchFile(r.file, file))
		}
		if !ok {
			return false
		}
	}
	ig, seen := f.ignored[file]
	if !seen {
		ig = ignoredLines(f.u.OriginText(file))
		f.ignored[file] = ig
	}
	return !ig[line]
}

// ignoredLines finds the lines that comments take out: `klabel: ignore` its
// own line, `klabel: ignore-begin` to `klabel: ignore-end` all between them.
func ignoredLines(src []byte) map[int]bool {
	if !bytes.Contains(src, []byte("klabel:")) {
		return nil
	}
	out := map[int]bool{}
	open := false
	for i, l := range bytes.Split(src, []byte("\n")) {
		word := directive(l)
		switch word {
		case "ignore-begin":
			open = true
		case "ignore-end":
			out[i+1], open = true, false
		}
		if open || word == "ignore" {
			out[i+1] = true
		}
	}
	return out
}

// directive is the word after `klabel:` in a comment of the line.
func directive(l []byte) string {
	i := bytes.Index(l, []byte("klabel:"))
	if i < 0 || !bytes.Contains(l[:i], []byte("//")) && !bytes.Contains(l[:i], []byte("/*")) {
		return ""
	}
	f := strings.Fields(strings.Replace(string(l[i+len("klabel:"):]), "*/", " ", 1))
	if len(f) == 0 {
		return ""
	}
	return strings.TrimRight(f[0], ".,;:")
}
