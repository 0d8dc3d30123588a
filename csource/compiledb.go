package csource

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// CompileCommand is one C file of a compilation database and the flags that
// count for reading it.
type CompileCommand struct {
	File  string   // absolute
	Dir   string   // where the compiler was run, absolute
	Flags []string // -I, -D, -U, -include, -std and the like, paths made absolute
}

// ReadCompileCommands reads a compile_commands.json. Entries for other
// languages are left out; of several entries for one file the last counts.
func ReadCompileCommands(path string) ([]CompileCommand, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &Error{File: path, Message: "cannot be read: " + reason(err), Cause: err}
	}
	var entries []struct {
		Directory string   `json:"directory"`
		File      string   `json:"file"`
		Command   string   `json:"command"`
		Arguments []string `json:"arguments"`
	}
	if err := json.Unmarshal(data, &entries); err != nil {
		e := &Error{File: path, Message: "is not a compilation database: " + err.Error(), Cause: err}
		var syn *json.SyntaxError
		if errors.As(err, &syn) {
			e.Line = 1 + strings.Count(string(data[:min(int(syn.Offset), len(data))]), "\n")
		}
		return nil, e
	}
	base, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, &Error{File: path, Message: reason(err), Cause: err}
	}
	var out []CompileCommand
	index := map[string]int{}
	for i, e := range entries {
		if e.File == "" {
			return nil, &Error{File: path, Message: fmt.Sprintf("entry %d has no file", i+1), Cause: os.ErrInvalid}
		}
		dir := absIn(base, e.Directory)
		c := CompileCommand{File: absIn(dir, e.File), Dir: dir}
		if !strings.EqualFold(filepath.Ext(c.File), ".c") && filepath.Ext(c.File) != ".i" {
			continue
		}
		argv := e.Arguments
		if len(argv) == 0 {
			if argv, err = SplitCommand(e.Command); err != nil {
				return nil, &Error{File: path, Message: fmt.Sprintf("entry for %s: %v", e.File, err), Cause: err}
			}
		}
		c.Flags = readingFlags(argv, dir)
		if j, ok := index[c.File]; ok {
			out[j] = c
			continue
		}
		index[c.File] = len(out)
		out = append(out, c)
	}
	return out, nil
}

func absIn(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// readingFlags keeps of a compiler's command line what decides how the file is
// read, and makes relative paths absolute.
func readingFlags(argv []string, dir string) []string {
	pathFlags := []string{"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot"}
	var out []string
next:
	for i := 1; i < len(argv); i++ {
		a := argv[i]
		for _, p := range pathFlags {
			switch {
			case a == p && i+1 < len(argv):
				i++
				out = append(out, p, flagPath(p, dir, argv[i]))
				continue next
			case p == "-I" && strings.HasPrefix(a, p) && len(a) > len(p):
				out = append(out, p+absIn(dir, a[len(p):]))
				continue next
			}
		}
		switch {
		case (a == "-D" || a == "-U" || a == "-target") && i+1 < len(argv):
			out = append(out, a, argv[i+1])
			i++
		case (a == "-o" || a == "-MF" || a == "-MT" || a == "-MQ" || a == "-x" || a == "-Xlinker" || a == "-L" || a == "-l") && i+1 < len(argv):
			i++
		case strings.HasPrefix(a, "-D") || strings.HasPrefix(a, "-U") || strings.HasPrefix(a, "-std=") || a == "-ansi" || strings.HasPrefix(a, "--target=") ||
			a == "-m32" || a == "-m64" || a == "-mx32" || a == "-nostdinc" || a == "-pthread" || a == "-ffreestanding" || a == "-fno-builtin" ||
			a == "-fms-extensions" || a == "-fplan9-extensions" || a == "-fsigned-char" || a == "-funsigned-char" || a == "-fshort-enums" || a == "-fgnu89-inline" || a == "-fwrapv":
			out = append(out, a)
		}
	}
	return out
}

// flagPath makes the path of a flag absolute. A header of -include is first
// looked for in the compiler's folder, then along the -I folders as before.
func flagPath(flag, dir, path string) string {
	if flag == "-include" || flag == "-imacros" {
		if _, err := os.Stat(absIn(dir, path)); err != nil {
			return path
		}
	}
	return absIn(dir, path)
}

// SplitCommand cuts a shell command into words, with quotes and backslashes as
// compilation databases use them.
func SplitCommand(s string) ([]string, error) {
	var out []string
	var word []byte
	in, quote := false, byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote == '\'':
			if c == '\'' {
				quote = 0
			} else {
				word = append(word, c)
			}
		case c == '\\' && i+1 < len(s):
			if i++; quote == '"' && s[i] != '"' && s[i] != '\\' && s[i] != '$' && s[i] != '`' {
				word = append(word, '\\')
			}
			word, in = append(word, s[i]), true
		case quote == '"' && c == '"':
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, in = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if in {
				out, word, in = append(out, string(word)), word[:0], false
			}
		default:
			word, in = append(word, c), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed in %q", quote, s)
	}
	if in {
		out = append(out, string(word))
	}
	return out, nil
}
