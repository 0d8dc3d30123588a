package csource

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"klabel/disk"
	"klabel/toolchain"
)

// CompileCommand is one C file of a compilation database and the flags that
// count for reading it.
type CompileCommand struct {
	File  string          // absolute
	Dir   string          // where the compiler was run, absolute
	Flags toolchain.Flags // what counts for compiling, paths made absolute
}

// From is the command as it is written in a folder, with the short names of what
// lies below that: a header has one name then, whether a file beside it includes it or -I
// leads to it.
func (c CompileCommand) From(dir string) CompileCommand {
	short := func(path string) string {
		rel, err := filepath.Rel(dir, path)
		if err != nil || !filepath.IsAbs(path) || rel == ".." ||
			strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return path
		}
		return rel
	}
	c.File, c.Flags = short(c.File), c.Flags.WithPaths(short)
	return c
}

// ReadCompileCommands reads a compile_commands.json. Entries for other
// languages are left out, and headers that nobody says to be C (-xc); of several
// entries for one file the last counts.
func ReadCompileCommands(path string) ([]CompileCommand, error) {
	data, err := disk.Read(path)
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
		argv := e.Arguments
		if len(argv) == 0 {
			if argv, err = toolchain.Words(e.Command); err != nil {
				return nil, &Error{File: path, Message: fmt.Sprintf("entry for %s: %v", e.File, err), Cause: err}
			}
		}
		if ext := strings.ToLower(filepath.Ext(c.File)); ext != ".c" && ext != ".i" &&
			(ext != ".h" || !slices.Contains(argv, "-xc")) {
			continue
		}
		c.Flags = toolchain.FromCommand(argv, dir)
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
