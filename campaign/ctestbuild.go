package campaign

import (
	"path/filepath"
	"slices"

	"klabel/toolchain"
)

// testBuild says with which flags, and with which other files of the program,
// tests of a unit are built in a folder. The tests have a main function: that of
// another file is renamed, and a second file with one stays out.
func (c *session) testBuild(dir string, unit int) (flags toolchain.Flags, sources []string) {
	seen := func(path string) string { return seenFrom(dir, path) }
	flags = toolchain.Flags(slices.Concat(c.job.Flags, c.prog.sources[unit].Flags)).In(".").WithPaths(seen)
	renamed := false
	for i, s := range c.prog.sources {
		if i == unit {
			continue
		}
		if definesMain(c.prog.units[i]) {
			if renamed {
				continue
			}
			renamed = true
			flags = append(flags, "-Dmain=klabel_other_main")
		}
		sources = append(sources, seen(s.Path))
	}
	return flags, sources
}

// seenFrom is a path as it is written in a file of a folder.
func seenFrom(dir, path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if here, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(here, abs); err == nil {
			return rel
		}
	}
	return abs
}
