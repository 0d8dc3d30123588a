package toolchain

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// Formatter is clang-format with the style of a project.
type Formatter struct {
	Path  string
	Style string // the project's .clang-format
}

// The versions that are looked for beside clang-format itself. Before 14 a style
// could not be named by its file.
const oldestFormatter, newestFormatter = 14, 25

var versionNumber = regexp.MustCompile(`version (\d+)\.`)

// FindFormatter returns the formatter of sources in a folder; nil where the
// project has no .clang-format there or above, or this machine no clang-format.
func FindFormatter(ctx context.Context, dir string) *Formatter {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	f := Formatter{}
	for ; f.Style == ""; at = filepath.Dir(at) {
		for _, name := range []string{".clang-format", "_clang-format"} { // clang-format's own order
			if st, err := os.Stat(filepath.Join(at, name)); err == nil && st.Mode().IsRegular() && f.Style == "" {
				f.Style = filepath.Join(at, name)
			}
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if f.Style == "" {
		return nil
	}
	names := []string{"clang-format"}
	for v := newestFormatter; v >= oldestFormatter; v-- {
		names = append(names, fmt.Sprintf("clang-format-%d", v))
	}
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		r, err := Run(ctx, Command{Argv: []string{path, "--version"}, Timeout: versionTimeout})
		if m := versionNumber.FindStringSubmatch(string(r.Stdout)); err == nil && m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n >= oldestFormatter {
				f.Path = path
				return &f
			}
		}
	}
	return nil
}

// Format formats files where they are. Headers stay in their order: some must.
func (f *Formatter) Format(ctx context.Context, files []string) error {
	if len(files) == 0 {
		return nil
	}
	_, err := Run(ctx, Command{Argv: append([]string{f.Path, "-i", "--style=file:" + f.Style, "--sort-includes=false"},
		files...), Timeout: time.Minute})
	return err
}
