package project

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"klabel/toolchain"
)

// reMain finds a definition of main, in the old style too. A call ends with a
// semicolon, and a declaration.
var (
	reMain    = regexp.MustCompile(`\bmain\s*\([^(){};]*\)\s*(\{|[a-zA-Z_])`)
	reComment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"`)
	reLine    = regexp.MustCompile(`^\s*#\s*(\w+)(.*)`)
	reDefined = regexp.MustCompile(`^(?:defined\s*\(?\s*)?([A-Za-z_]\w*)\s*\)?$`)
)

// DefinesMain reports whether a C file seems to define main. Of what the preprocessor leaves of it
// only that is known which the file and the flags say: a part of `#ifdef TEST` stands there if one
// of them defines TEST.
func DefinesMain(path string, flags toolchain.Flags) bool {
	b, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	return reMain.MatchString(withoutParts(reComment.ReplaceAllString(string(b), " "), flags))
}

// withoutParts leaves out what stands under a macro that nobody defines.
func withoutParts(text string, flags toolchain.Flags) string {
	defined := map[string]bool{}
	for i, f := range flags {
		f, is := strings.CutPrefix(f, "-D")
		if is && f == "" && i+1 < len(flags) {
			f = flags[i+1]
		}
		if name, _, _ := strings.Cut(f, "="); is {
			defined[name] = true
		}
	}
	var kept []string
	var off []bool // of the parts that are open
	for _, line := range strings.Split(text, "\n") {
		m := reLine.FindStringSubmatch(line)
		switch {
		case m == nil:
		case strings.HasPrefix(m[1], "if"):
			off = append(off, absent(m[1], strings.TrimSpace(m[2]), defined))
		case m[1] == "define":
			if name := strings.Fields(m[2]); len(name) > 0 && !slices.Contains(off, true) {
				defined[name[0]] = true
			}
		case len(off) > 0 && m[1] == "endif":
			off = off[:len(off)-1]
		case len(off) > 0 && strings.HasPrefix(m[1], "el"):
			off[len(off)-1] = false
		}
		if !slices.Contains(off, true) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// absent reports whether a condition asks for a macro that is not defined. What may be one of the
// compiler's (unix, __GNUC__) is none.
func absent(directive, condition string, defined map[string]bool) bool {
	if directive == "if" && condition == "0" {
		return true
	}
	m := reDefined.FindStringSubmatch(condition)
	return m != nil && directive != "ifndef" && !defined[m[1]] && !strings.HasPrefix(m[1], "_") &&
		m[1] != strings.ToLower(m[1])
}

// File is a C file as it is compiled.
type File struct {
	Path  string
	Flags toolchain.Flags
}

// ArePrograms reports whether files are programs, most of them, and not the parts of one:
// more than half, and two at least, define main.
func ArePrograms(files []File) bool {
	n := 0
	for _, f := range files {
		if DefinesMain(f.Path, f.Flags) {
			n++
		}
	}
	return n > 1 && 2*n > len(files)
}

// Programs groups files of which most are programs: those of a folder in which one alone defines main belong to it, and
// it comes first; every other file stands by itself.
func Programs(files []File) (groups [][]int) {
	type folder struct {
		all, mains []int
	}
	folders := map[string]*folder{}
	for i, f := range files {
		dir := filepath.Dir(f.Path)
		if folders[dir] == nil {
			folders[dir] = &folder{}
		}
		d := folders[dir]
		d.all = append(d.all, i)
		if DefinesMain(f.Path, f.Flags) {
			d.mains = append(d.mains, i)
		}
	}
	for i, f := range files {
		switch d := folders[filepath.Dir(f.Path)]; {
		case len(d.mains) != 1:
			groups = append(groups, []int{i})
		case d.all[0] == i:
			rest := slices.DeleteFunc(slices.Clone(d.all), func(k int) bool { return k == d.mains[0] })
			groups = append(groups, append([]int{d.mains[0]}, rest...))
		}
	}
	return groups
}
