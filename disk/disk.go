// Package disk writes files whole or not at all, and says where those are kept
// that can be made again.
//
// It exists so that a run that is killed, a full disk or another klabel at the
// same work never leaves half of a file under its name. It promises that a name
// holds what it held before or all that was written, that what lies at the name
// is not followed when it is a link, and that errors name the file that was
// meant, not a temporary one.
//
// Temporary files are in one folder for each process (OwnTemp), which the next
// process removes if this one could not.
//
// Limits: nothing is forced to the disk; what must outlive a loss of power is the
// store's. A process that is killed may leave a file whose name ends in Part.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Part ends the names of files that are being written; they begin with a dot.
const Part = ".part"

// Write puts data into the file at path, as WriteFrom does.
func Write(path string, data []byte) error {
	return WriteFrom(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFrom puts what render writes into the file at path. Its folder must be
// there. The permissions of a file that is replaced stay.
func WriteFrom(path string, render func(io.Writer) error) error {
	part, err := newPart(filepath.Dir(path))
	if err != nil {
		return named(err, path)
	}
	defer os.Remove(part.Name()) // it has gone elsewhere if all went well
	err = render(part)
	if fi, serr := os.Lstat(path); err == nil && serr == nil && fi.Mode().IsRegular() {
		err = part.Chmod(fi.Mode().Perm() | 0o200)
	}
	if cerr := part.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	return named(err, path)
}

// Output writes a file that a user named, as WriteFrom does; but what is there and
// is no file, a device or a pipe, gets what is written.
func Output(path string, render func(io.Writer) error) error {
	if fi, err := os.Stat(path); err != nil || fi.Mode().IsRegular() || fi.IsDir() {
		return WriteFrom(path, render)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = render(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// Copy puts the content of one file into another, as WriteFrom does.
func Copy(from, to string) error {
	in, err := Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return WriteFrom(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// Cache is a path in the user's folder for what can be made again. It makes
// nothing, and fails where the user has no such folder.
func Cache(parts ...string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{base, "klabel"}, parts...)...), nil
}

// newPart creates a file of a new name; os.CreateTemp would keep it from
// everybody else, whatever the umask says.
func newPart(dir string) (*os.File, error) {
	for {
		name := filepath.Join(dir, fmt.Sprintf(".%016x%s", rand.Uint64(), Part))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// named lets an error speak of path.
func named(err error, path string) error {
	var link *os.LinkError
	var at *os.PathError
	switch {
	case errors.As(err, &link):
		return Unwritten(path, link.Err)
	case errors.As(err, &at) && filepath.Ext(at.Path) == Part:
		return Unwritten(path, at.Err)
	}
	return err
}

// errNoFile is the reason that Read gives for what is there and is no file.
var errNoFile = errors.New("is a pipe or a device")

// mostRead bounds what Read takes into memory. Nothing that klabel reads whole is as large;
// a file of terabytes costs its owner no disk, and would cost the machine its memory.
const mostRead = 1 << 30

// Read returns what the file at path holds. A pipe or a device is refused at once:
// reading it might never end. So is what is too large to be one of ours.
func Read(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var b []byte
	if fi.Size() <= mostRead {
		b, err = io.ReadAll(io.LimitReader(f, mostRead+1)) // it may grow
	}
	if fi.Size() > mostRead || len(b) > mostRead {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("is larger than %d GB", mostRead>>30)}
	}
	return b, err
}

// Open opens a file to read it, as Read does.
func Open(path string) (*os.File, error) {
	// Not to wait for the other end of a pipe; of files it means nothing.
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() && !fi.IsDir() {
		err = &fs.PathError{Op: "read", Path: path, Err: errNoFile}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
