package campaign

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"klabel/csource"
	"klabel/disk"
	"klabel/instrument"
	"klabel/label"
	"klabel/runtime_c"
)

// A copy of a project that records labels differs from the project in labelled
// functions alone: the lines of each are replaced by an include of the function
// as it is after preprocessing, with its labels. So headers, macros and other
// configurations of a file stay as they are, and a test may include a source.
// To the compiler the included files are system headers, whose warnings stay
// silent whatever the flags.

// collectFolder holds the included files, in the copy.
const collectFolder = "klabel-labels"

// collectIn puts labels that record into dst, the copy of root, and returns the
// file in which they do.
func (c *session) collectIn(ctx context.Context, root, dst string) (hits string, err error) {
	dir := filepath.Join(dst, collectFolder)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", describe(err)
	}
	hits = filepath.Join(dir, "hits")
	if err := os.WriteFile(hits, make([]byte, c.prog.maxID+1), 0o666); err != nil {
		return "", describe(err)
	}
	runtime, err := runtime_c.FS.ReadFile("ctest/parts/collect.h")
	if err != nil {
		return "", err
	}
	where := fmt.Sprintf("#define KLABEL_LABELS %d\n", c.prog.maxID+1) +
		fmt.Sprintf("#define KLABEL_HITS_FILE %s\n", csource.QuoteFile(hits))
	if err := os.WriteFile(filepath.Join(dir, "collect.h"), append([]byte(where), runtime...), 0o666); err != nil {
		return "", describe(err)
	}
	files, err := c.recordingLines(ctx)
	if err != nil {
		return "", err
	}
	n := 0
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if !inside(root, path) {
			continue
		}
		text, err := disk.Read(path)
		if err != nil {
			return "", describe(err)
		}
		var failed error
		text = csource.Splice(text, csource.SameLines(files[path]), func(l csource.Lines) string {
			n++
			name := filepath.Join(dir, fmt.Sprintf("%d.h", n))
			if err := os.WriteFile(name, included(l.Text), 0o666); err != nil && failed == nil {
				failed = err
			}
			return fmt.Sprintf("#include %s\n", csource.QuoteFile(name))
		})
		text = append([]byte("#pragma GCC diagnostic ignored \"-Wunused-macros\"\n"), text...)
		rel, err := filepath.Rel(root, path)
		if err == nil && failed == nil {
			failed = os.WriteFile(filepath.Join(dst, rel), text, 0o666)
		}
		if failed != nil {
			return "", describe(failed)
		}
	}
	return hits, nil
}

// recordingLines are the lines of labelled functions, in the form that records,
// by absolute path of their file.
func (c *session) recordingLines(ctx context.Context) (map[string][]csource.Lines, error) {
	out := map[string][]csource.Lines{}
	for i, u := range c.prog.units {
		if c.prog.sources[i].Stubs {
			continue
		}
		text, err := instrument.Rewrite(u, instrument.Options{Mode: instrument.Replay})
		if err != nil {
			return nil, err
		}
		if u, err = csource.Parse(ctx, u.Path, text, csource.Options{Flags: u.Flags, Target: u.Target}); err != nil {
			return nil, fmt.Errorf("the labelled text of %w", err)
		}
		records := func(text []byte) bool { return bytes.Contains(text, []byte("klabel_hit(")) }
		for _, l := range u.FunctionLines(records) {
			path, err := filepath.Abs(l.File)
			if err != nil {
				return nil, err
			}
			out[path] = append(out[path], l)
		}
	}
	return out, nil
}

// included is the file that stands for some lines. Their macros are expanded:
// those of the same names, and of what they stand for, have to be out of sight.
func included(text []byte) []byte {
	var before, after strings.Builder
	for _, w := range csource.Words(text) {
		if w != "defined" && !strings.HasPrefix(w, "klabel_") {
			fmt.Fprintf(&before, "#pragma push_macro(\"%s\")\n#undef %[1]s\n", w)
			fmt.Fprintf(&after, "#pragma pop_macro(\"%s\")\n", w)
		}
	}
	head := "#pragma GCC system_header\n#include \"collect.h\"\n" + before.String()
	return slices.Concat([]byte(head), text, []byte("\n"+after.String()))
}

// readHits returns the labels that a copy has recorded.
func readHits(path string) ([]label.ID, error) {
	b, err := disk.Read(path)
	if err != nil {
		return nil, describe(err)
	}
	var out []label.ID
	for id, hit := range b {
		if hit != 0 {
			out = append(out, label.ID(id))
		}
	}
	return out, nil
}
