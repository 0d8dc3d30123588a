package campaign

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"klabel/fault"
)

// markName is the file that says that a directory is klabel's.
const markName = "klabel.mark"

const markText = "klabel made this directory. It overwrites what is in it, and with --fresh deletes it.\n"

// claim makes an output directory, or takes one that an earlier campaign has
// made. In any other that holds something, nothing may be overwritten or deleted.
func claim(dir string) error {
	if err := fault.CheckName(dir); err != nil {
		return err
	}
	fi, err := os.Stat(dir)
	if err == nil && !fi.IsDir() {
		return fault.WithHint(fmt.Errorf("%s is a file: want a directory for the output", dir),
			"choose another one with -o")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return anothers(dir, err)
	}
	mark := filepath.Join(dir, markName)
	if fi, err := os.Lstat(mark); err == nil && fi.Mode().IsRegular() {
		return noLinks(dir)
	}
	there, err := os.ReadDir(dir)
	if err != nil {
		return describe(err)
	}
	if len(there) > 0 {
		return fault.WithHint(fmt.Errorf("%s holds %s and was not made by klabel: nothing in it is touched", dir,
			there[0].Name()),
			"choose a directory that does not exist or is empty with -o")
	}
	f, err := os.OpenFile(mark, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) { // another klabel, in this moment
		return nil
	}
	if err == nil {
		_, err = f.WriteString(markText)
		err = errors.Join(err, f.Close())
	}
	return anothers(dir, err)
}

// noLinks refuses a directory in which a symbolic link stands where klabel writes: it
// makes none, and a directory that came with somebody's sources could lead it anywhere.
// Where programs under test write, or a copy of the project is, there may be some, which
// nothing follows.
func noLinks(dir string) error {
	top, err := filepath.EvalSymlinks(dir) // the directory itself may be elsewhere
	if err != nil {
		return describe(err)
	}
	return filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile, by a klabel that has the lock
		}
		if err != nil {
			return describe(err)
		}
		if d.Type()&fs.ModeSymlink != 0 {
			return fault.WithHint(fmt.Errorf("%s is a symbolic link, and klabel makes none: nothing in %s is touched",
				path, dir), "remove it, or choose another output directory with -o")
		}
		in, _ := filepath.Rel(top, path) // it is below
		if d.IsDir() && (in == "engine" || in == "corpus" || in == filepath.Join("work", "project")) {
			return fs.SkipDir
		}
		return nil
	})
}

// anothers is describe for a folder that cannot be written: where it is another
// user's, as that of a project mounted into a container, it says whose.
func anothers(dir string, err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return describe(err)
	}
	for path, e := filepath.Abs(dir); e == nil; path = filepath.Dir(path) {
		fi, serr := os.Stat(path)
		if serr != nil && path != filepath.Dir(path) {
			continue
		}
		if serr != nil {
			break
		}
		if st, ok := fi.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Getuid() {
			return fault.WithHint(err, "%s belongs to user %d, klabel runs as %d: choose another output directory "+
				"with -o; in a container, docker run --user %d:%d", path, st.Uid, os.Getuid(), st.Uid, st.Gid)
		}
		break
	}
	return describe(err)
}
