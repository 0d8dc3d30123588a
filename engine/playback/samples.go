package playback

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// samples are recordings of KLEE 3.1, each with the labelled program it ran.
//
//	triangle-fused   a search that ends by itself within a second
//	power-optim      a search of six seconds that its budget ended
//	tag-naive        tests without errors
//
//go:embed all:recordings
var samples embed.FS

// Samples lists the names of the recordings that come with the package.
func Samples() []string {
	entries, err := samples.ReadDir("recordings")
	if err != nil {
		return nil // embedded: cannot happen
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Sample writes a recording and its program into a directory. New and Load
// take the recording, the front end takes the program.
func Sample(name, dir string) (program, recording string, err error) {
	root, err := fs.Sub(samples, "recordings/"+name)
	if err != nil {
		return "", "", err
	}
	if _, err := fs.Stat(root, "."); err != nil {
		return "", "", fmt.Errorf("no recording %q", name)
	}
	into := filepath.Join(dir, name)
	if err := os.CopyFS(into, root); err != nil {
		return "", "", err
	}
	return filepath.Join(into, "program.c"), filepath.Join(into, "klee"), nil
}
