package campaign

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"

	"klabel/fault"
)

// layout names the files of the output directory.
type layout struct{ dir string }

func (l layout) tests() string         { return filepath.Join(l.dir, "tests") }
func (l layout) runtimeErrors() string { return filepath.Join(l.dir, "runtime-errors") }
func (l layout) work(name string) string {
	return filepath.Join(l.dir, "work", name)
}
func (l layout) corpus(e entry) string {
	return filepath.Join(l.dir, "corpus", "entry-"+url.PathEscape(e.name))
}
func (l layout) waiting() string { return l.work("waiting.json") }
func (l layout) summary() string { return filepath.Join(l.dir, "summary.json") }

// engineDir returns a directory for one engine run that does not exist yet; n
// counts those that were given out.
func (l layout) engineDir(n *atomic.Int64) (string, error) {
	base := filepath.Join(l.dir, "engine")
	if err := os.MkdirAll(base, 0o777); err != nil {
		return "", describe(err)
	}
	for {
		p := filepath.Join(base, fmt.Sprintf("run-%03d", n.Add(1)))
		if _, err := os.Lstat(p); errors.Is(err, os.ErrNotExist) {
			return p, nil
		} else if err != nil {
			return "", describe(err)
		}
	}
}

// make creates the folders.
func (l layout) make() error {
	if err := claim(l.dir); err != nil {
		return err
	}
	for _, d := range []string{l.tests(), l.runtimeErrors(), l.work(""), filepath.Join(l.dir, "engine")} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			return describe(err)
		}
	}
	return nil
}

// tidy removes what can be made again, of a campaign that would leave a lot.
func (l layout) tidy(many bool) {
	if !many {
		return
	}
	for _, pattern := range []string{"engine-*", "replay*.c", "fuzzed*"} {
		found, _ := filepath.Glob(filepath.Join(escapeGlob(l.work("")), pattern))
		for _, f := range found {
			os.Remove(f)
		}
	}
	os.RemoveAll(l.work("prune"))
	os.Remove(filepath.Join(l.dir, "engine")) // empty by now
}

// sweep removes what runs that were killed have left half done. The directory is
// locked: nobody else is at work in it.
func (l layout) sweep() {
	for _, pattern := range []string{"work/klabel-replay-*", "work/.replay-build-*", "work/.fuzz-build-*",
		"engine/*.cwd", "*.part", "tests/*.part", "runtime-errors/*.part"} {
		left, _ := filepath.Glob(filepath.Join(escapeGlob(l.dir), pattern)) // the pattern is well-formed
		for _, path := range left {
			_ = os.RemoveAll(path) // what stays is in nobody's way
		}
	}
}

// clear removes what an earlier campaign left beside the store.
func (l layout) clear() error {
	for _, d := range []string{l.tests(), l.runtimeErrors(), filepath.Join(l.dir, "engine"), l.work(""),
		filepath.Join(l.dir, "corpus")} {
		if err := os.RemoveAll(d); err != nil {
			return describe(err)
		}
	}
	return l.make()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// describe turns an operating system error into what the user can act on.
func describe(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrPermission):
		return fault.WithHint(err, "choose another output directory with -o")
	}
	return err // of a full disk the command says what can be done
}
