package ctests

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Together writes what builds and runs the programs of several folders of a
// folder: for make and CMake (Meson has no projects within a project). Files of a
// program that was in the folder itself are removed.
func Together(dir string, folders []string) error {
	out := &folder{dir: dir}
	return out.together(folders)
}

func (f *folder) together(folders []string) error {
	slices.Sort(folders)
	var mk, cm strings.Builder
	// Folders are called like sources: nothing in a name is the shell's, or an option.
	mk.WriteString("# Builds and runs the tests of all folders.\ncheck:\n\t@failed=0; for d in " +
		escape(quoted(folders)) + "; do $(MAKE) -C \"./$$d\" check || failed=1; done; exit $$failed\n" +
		"\n.PHONY: check\n")
	fmt.Fprintf(&cm, "# Builds the tests of all folders; ctest runs them.\ncmake_minimum_required(VERSION 3.12)\n"+
		"project(tests C)\nenable_testing()\n")
	for _, d := range folders {
		fmt.Fprintf(&cm, "add_subdirectory(%s)\n", places([]string{"./" + d}))
	}
	f.late = map[string]string{"Makefile": mk.String(), "CMakeLists.txt": cm.String()}
	return f.finish(nil)
}

// split writes a program for each function, in a folder of its own below.
func (o Options) split(out *folder, tests []*written) error {
	up := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return "../" + path
	}
	o.EachFunction = false
	o.Include, o.Flags = up(o.Include), o.Flags.WithPaths(up)
	o.Sources, o.Own = slices.Clone(o.Sources), maps.Clone(o.Own)
	for i, s := range o.Sources {
		o.Sources[i] = up(s)
		if own, ok := o.Own[s]; ok {
			delete(o.Own, s)
			o.Own[up(s)] = own.WithPaths(up)
		}
	}
	if o.headers != "" {
		o.headers = up(o.headers)
	}
	name := o.target()
	var folders []string
	for from := 0; from < len(tests); {
		to := from
		for to < len(tests) && tests[to].tested() == tests[from].tested() {
			to++
		}
		function := tests[from].tested()
		folders = append(folders, function)
		o.Name = name + "_" + function
		sub := &folder{dir: filepath.Join(out.dir, function), late: map[string]string{}}
		if err := o.finish(sub, tests[from:to]); err != nil {
			return err
		}
		from = to
	}
	return out.together(folders)
}

// Tidy removes from a folder the programs of earlier tests: those in folders that
// are none of these.
func Tidy(top string, written []string) error {
	var stale []string
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if _, err := os.Stat(filepath.Join(path, RunnerFile)); err == nil && !slices.Contains(written, path) {
			stale = append(stale, path)
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("removing old C tests: %w", err)
	}
	for _, dir := range stale {
		below := slices.ContainsFunc(written, func(w string) bool { return strings.HasPrefix(w, dir+"/") })
		if below { // what stands here is written anew
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("removing old C tests: %w", err)
		}
	}
	return nil
}
