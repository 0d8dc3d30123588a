package replayer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"klabel/disk"
	"klabel/ktest"
	"klabel/label"
)

// TestFile is a test that an engine has written, or a file that should be one.
type TestFile struct {
	Path   string      // the .ktest; the .err when there is no .ktest
	Test   *ktest.Test // nil exactly if Problem is not
	Suffix string      // "" for the end of a path, "assert.err", "ptr.err", "early", ...
	Error  string      // first line of the suffix file
	// AtNull says that the error is an access at the address 0, or next to it.
	AtNull bool

	// Label is what the engine says to have reached: an error file that reads
	// "Error: ASSERTION FAIL: cov_label 17".
	Label    label.ID
	HasLabel bool
	Also     []label.ID // wait for this test, too: "..., met with 3 5"

	Problem error // why the file is skipped
}

// ErrNoTest is the Problem of an error file whose .ktest never came; KLEE
// leaves one when it loses a test.
var ErrNoTest = errors.New("there is an error file, but no test")

// maxTestFile bounds what is read for one test.
const maxTestFile = 256 << 20

var (
	engineName = regexp.MustCompile(`^test(\d{6,9})\.(.+)$`)
	labelError = regexp.MustCompile(`^Error: ASSERTION FAIL: cov_label (\d+)(?:, met with ([\d ]+))?\s*$`)
	atNull     = regexp.MustCompile(`(?m)^\s*address: (\d{1,4})$`)
)

// pageSize: no program has anything below.
const pageSize = 4096

// isSuffix tells the files that say how a path ended from the others that KLEE
// writes beside a test (path, kquery, cov, ...).
func isSuffix(rest string) bool { return strings.HasSuffix(rest, ".err") || rest == "early" }

// parseEngineName splits "test000017.assert.err" into 17 and "assert.err".
func parseEngineName(name string) (n int, rest string, ok bool) {
	m := engineName.FindStringSubmatch(name)
	if m == nil {
		return 0, "", false
	}
	n, err := strconv.Atoi(m[1])
	return n, m[2], err == nil
}

// ReadTestFile reads a .ktest and the error file beside it, if there is one, as
// they are now. It is for directories that nobody writes any more.
func ReadTestFile(path string) TestFile {
	stem := strings.TrimSuffix(path, ".ktest")
	matches, err := filepath.Glob(escapeGlob(stem) + ".*")
	if err != nil {
		matches = nil // escapeGlob leaves no bad pattern
	}
	suffix := ""
	for _, m := range matches {
		if rest := strings.TrimPrefix(m, stem+"."); isSuffix(rest) {
			suffix = rest
		}
	}
	f, _ := readFamily(stem, suffix, true)
	return f
}

func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}

// readFamily reads stem.ktest and stem.suffix. Not being sure that both are
// written to their end (final), it returns false where waiting may help.
func readFamily(stem, suffix string, final bool) (TestFile, bool) {
	f := TestFile{Path: stem + ".ktest", Suffix: suffix}
	if suffix != "" {
		text, err := errorText(stem + "." + suffix)
		if !final && (err != nil || !strings.Contains(text, "\n")) {
			return f, false
		}
		f.setError(text)
	}
	b, err := readBounded(f.Path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && suffix != "" {
			f.Path, err = stem+"."+suffix, ErrNoTest
		}
		f.Problem = err
		return f, final
	}
	f.Test, err = ktest.Parse(b)
	if err != nil {
		f.Test, f.Problem = nil, fmt.Errorf("%s: %w", f.Path, err)
		var format *ktest.FormatError
		return f, final || errors.As(err, &format) && !format.Truncated
	}
	return f, true
}

// ReadTest makes a TestFile of a test that comes in no file of this machine.
func ReadTest(from string, test []byte, suffix string, content []byte) TestFile {
	f := TestFile{Path: from, Suffix: suffix}
	if suffix != "" {
		f.setError(string(content))
	}
	if f.Test, f.Problem = ktest.Parse(test); f.Problem != nil {
		f.Test, f.Problem = nil, fmt.Errorf("%s: %w", from, f.Problem)
	}
	return f
}

// setError takes what an error file says.
func (f *TestFile) setError(text string) {
	line, info, _ := strings.Cut(text, "\n")
	line = strings.TrimRight(line, "\r")
	f.Error = line
	if m := atNull.FindStringSubmatch(info); m != nil {
		n, err := strconv.Atoi(m[1])
		f.AtNull = err == nil && n < pageSize
	}
	if m := labelError.FindStringSubmatch(line); m != nil {
		if id, err := label.ParseID(m[1]); err == nil {
			f.Label, f.HasLabel = id, true
		}
		for _, other := range strings.Fields(m[2]) {
			if id, err := label.ParseID(other); err == nil {
				f.Also = append(f.Also, id)
			}
		}
	}
}

// errorText is what an error file says first.
func errorText(path string) (string, error) {
	f, err := disk.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 64<<10))
	return string(b), err
}

func readBounded(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	if st.Size() > maxTestFile {
		return nil, fmt.Errorf("%s: larger than %d MB", path, maxTestFile>>20)
	}
	return disk.Read(path)
}
