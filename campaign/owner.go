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
		return nil
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
