package campaign

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"klabel/disk"
)

// packed is what follows the name of a replay program that is kept compressed.
const packed = ".gz"

// pack compresses the replay programs of a campaign of many entries. They stay for
// klabel verify, and would be most of what the campaign leaves.
func (l layout) pack(many bool) error {
	if !many {
		return nil
	}
	found, _ := filepath.Glob(filepath.Join(escapeGlob(l.work("")), "replay*")) // the pattern is well-formed
	for _, path := range found {
		if name := filepath.Base(path); strings.Contains(name, ".") {
			continue
		}
		b, err := disk.Read(path)
		if err != nil {
			return describe(err)
		}
		err = disk.WriteFrom(path+packed, func(w io.Writer) error {
			z, err := gzip.NewWriterLevel(w, gzip.BestSpeed) // half a second more saves 15 %
			if err != nil {
				return err
			}
			_, err = z.Write(b)
			return errors.Join(err, z.Close())
		})
		if err != nil {
			return describe(err)
		}
		if err := os.Remove(path); err != nil {
			return describe(err)
		}
	}
	return nil
}

// unpack reads a file that may be compressed by now.
func unpack(path, sum string) (b []byte, err error) {
	if b, err = disk.Read(path); err == nil && checksum(b) == sum {
		return b, nil
	}
	f, perr := disk.Open(path + packed)
	if perr != nil {
		return b, err
	}
	defer f.Close()
	z, perr := gzip.NewReader(f)
	if perr != nil {
		return nil, perr
	}
	return io.ReadAll(z)
}
