package project

import (
	"crypto/sha256"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"klabel/toolchain"
)

func sum(text string) []byte {
	s := sha256.Sum256([]byte(text))
	return s[:6]
}

var (
	entering = regexp.MustCompile("^\\S*make(?:\\[\\d+\\])?: Entering directory [`'](.*)'$")
	leaving  = regexp.MustCompile(`^\S*make(?:\[\d+\])?: Leaving directory`)
	compiler = regexp.MustCompile(`^(.*-)?(cc|gcc|clang|tcc|icc|icx|c89|c99)(-[0-9.]+)?$`)
	assigned = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	output   = regexp.MustCompile("\\$\\([^()]*\\)|`[^`]*`") // of another program: pkg-config, say
	// automake's way to say where a source is
	whichOne = regexp.MustCompile("`test -f '?([^'`]+?)'? \\|\\| echo '?([^'`]*?)'?`")
)

// commandsOf finds the compiler's commands in what make -nw prints, which is a shell
// script for each folder.
func commandsOf(log, dir string) (out []command) {
	dirs := []string{dir}
	log = strings.ReplaceAll(strings.ReplaceAll(log, "\\\r\n", " "), "\\\n", " ")
	for _, line := range strings.Split(log, "\n") {
		if m := entering.FindStringSubmatch(line); m != nil {
			dirs = append(dirs, m[1])
			continue
		}
		if leaving.MatchString(line) {
			if len(dirs) > 1 {
				dirs = dirs[:len(dirs)-1]
			}
			continue
		}
		at := dirs[len(dirs)-1]
		line = whichOne.ReplaceAllStringFunc(line, func(s string) string {
			m := whichOne.FindStringSubmatch(s)
			if Missing(filepath.Join(at, m[1])) {
				return m[2]
			}
			return ""
		})
		for _, part := range simple(output.ReplaceAllString(line, " ")) {
			words, err := toolchain.Words(part)
			if err != nil {
				continue
			}
			if len(words) == 2 && words[0] == "cd" { // for what stands after it
				at = in(at, words[1])
				continue
			}
			out = append(out, compiled(words, at)...)
		}
	}
	return out
}

// compiled are the C files that a command compiles, one entry each.
func compiled(words []string, dir string) (out []command) {
	first := slices.IndexFunc(words, func(w string) bool { return compiler.MatchString(filepath.Base(w)) })
	if first < 0 || slices.ContainsFunc(words[:first], func(w string) bool {
		return !assigned.MatchString(w) && !strings.HasPrefix(w, "-") && !strings.Contains(w, "libtool") &&
			!before[filepath.Base(w)]
	}) {
		return nil // something else than a compiler is run
	}
	var files []string
	for i := first + 1; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-E" || w == "-M" || w == "-MM":
			return nil // not compiled
		case w == "-o" || w == "-MF" || w == "-MT" || w == "-MQ" || w == "-include":
			i++
		case strings.HasPrefix(w, "-"):
		case strings.HasSuffix(w, ".c"):
			files = append(files, in(dir, w))
		}
	}
	for _, f := range files {
		out = append(out, command{Directory: dir, File: f, Arguments: words[first:]})
	}
	return out
}

// before are the words that may stand before a compiler; so may VAR=x, and libtool
// with its options.
var before = map[string]bool{"if": true, "then": true, "else": true, "do": true, "!": true, "env": true, "ccache": true,
	"sccache": true, "distcc": true, "time": true, "nice": true, "sh": true, "bash": true, "dash": true}

func in(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// simple splits a line of a shell script into its commands.
func simple(line string) (out []string) {
	quote, from := byte(0), 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte(";&|()", c) >= 0:
			out = append(out, line[from:i])
			from = i + 1
		}
	}
	return append(out, line[min(from, len(line)):])
}
