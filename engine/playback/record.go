package playback

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"klabel/ktest"
)

// Record makes a recording of a KLEE output directory: the times are those of
// its files. Files that only people read are left out, and so is
// where on the machine the program lay.
func Record(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	started, err := startOf(from)
	if err != nil {
		return err
	}
	var lines []string
	var end time.Duration
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == "assembly.ll", name == "run.istats", strings.HasPrefix(name, "run.stats-"):
			continue
		case !e.Type().IsRegular():
			continue
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		at := max(0, info.ModTime().Sub(started))
		end = max(end, at)
		if strings.HasPrefix(name, "test") {
			lines = append(lines, fmt.Sprintf("%d %s", at.Milliseconds(), name))
		}
		content, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), withoutPaths(name, content), 0o644); err != nil {
			return err
		}
	}
	lines = append(lines, fmt.Sprintf("%d end", end.Milliseconds()))
	return os.WriteFile(filepath.Join(to, timelineFile), []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// withoutPaths takes the machine's paths out of a test's argv[0] and out of
// KLEE's own command line.
func withoutPaths(name string, content []byte) []byte {
	switch {
	case strings.HasSuffix(name, ".ktest"):
		t, err := ktest.Parse(content)
		if err != nil || len(t.Args) == 0 {
			return content // a test that KLEE itself cut off is worth recording
		}
		t.Args[0] = "program.bc"
		return t.Bytes()
	case name == "info":
		if _, rest, found := strings.Cut(string(content), "\n"); found {
			return []byte("klee program.bc\n" + rest)
		}
	}
	return content
}

// startOf is when KLEE made its info file; where the file system does not keep
// that, info itself says it to the second.
func startOf(dir string) (time.Time, error) {
	path := filepath.Join(dir, "info")
	var st unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_BTIME, &st); err == nil && st.Mask&unix.STATX_BTIME != 0 {
		return time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)), nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return time.Time{}, fmt.Errorf("not an output directory of KLEE: %w", err)
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if when, found := strings.CutPrefix(line, "Started: "); found {
			return time.ParseInLocation(time.DateTime, when, time.Local)
		}
	}
	return time.Time{}, errors.New("info does not say when KLEE started")
}
