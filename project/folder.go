package project

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// mostFiles bounds what is taken of a folder without a build: it may be anybody's
// home.
const mostFiles = 2000

// askFolder takes every C file below a folder, but for tests and examples, and every
// folder with headers for one to search. Where there are headers alone, they are the
// library.
func askFolder(_ context.Context, root, _ string) (out []command, err error) {
	var files, headers, folders []string
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read is not meant
		case d.IsDir():
			if path != root && (strings.HasPrefix(d.Name(), ".") || Aside(root, filepath.Join(path, "x.c")) ||
				!Missing(filepath.Join(path, "klabel.db"))) {
				return fs.SkipDir
			}
		case !d.Type().IsRegular() || Aside(root, path):
		case strings.HasSuffix(path, ".c"):
			files = append(files, path)
		case isHeader(path):
			headers = append(headers, path)
			if dir := filepath.Dir(path); !slices.Contains(folders, dir) {
				folders = append(folders, dir)
			}
		}
		if max(len(files), len(headers)) > mostFiles {
			return fmt.Errorf("more than %d C files are below %s", mostFiles, root)
		}
		return nil
	})
	cc := []string{"cc"}
	if len(files) == 0 {
		files, cc = headers, append(cc, "-xc")
	}
	for _, f := range files {
		c := command{Directory: root, File: f, Arguments: slices.Concat(cc, Implementation(f))}
		for _, dir := range folders {
			if rel, err := filepath.Rel(root, dir); err == nil {
				dir = rel
			}
			c.Arguments = append(c.Arguments, "-I"+dir)
		}
		c.Arguments = append(c.Arguments, "-c", f)
		out = append(out, c)
	}
	if err == nil && len(out) == 0 {
		err = ErrNoBuild
	}
	return out, err
}

// assumed are the folders of headers of a folder without a build, and what was made
// up for it in words.
func assumed(found []command) (headers []string, said string) {
	for _, a := range found[0].Arguments {
		if dir, ok := strings.CutPrefix(a, "-I"); ok {
			headers = append(headers, dir)
		}
	}
	said = "no build that klabel can ask: every C file here"
	if isHeader(found[0].File) {
		said = "no C files but tests and examples: every header here"
	}
	switch n := len(headers); {
	case n > 4:
		said += fmt.Sprintf(", with -I%s and %d more folders of headers", strings.Join(headers[:3], " -I"), n-3)
	case n > 0:
		said += ", with -I" + strings.Join(headers, " -I")
	}
	return headers, said
}
