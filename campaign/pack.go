package campaign

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"klabel/disk"
	"klabel/store"
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

// unpack reads a file that may be compressed by now, or not have its name yet.
func unpack(path, sum string) (b []byte, err error) {
	for _, name := range []string{path + upcoming, path} {
		if b, err = disk.Read(name); err == nil && checksum(b) == sum {
			return b, nil
		}
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

// upcoming is what the name of a replay program ends with before the store knows it.
const upcoming = ".next"

// noteReplay keeps what the replay program is, so that another one in its place is
// noticed, and puts it in the place of the one before. Whoever is killed meanwhile
// leaves, under one of the two names, the program that the store knows.
func (c *session) noteReplay(binary string, im *image) error {
	b, err := disk.Read(binary + upcoming)
	if err != nil {
		return describe(err)
	}
	r := store.ReplayProgram{File: binary, Sum: checksum(b)}
	for _, e := range im.entries {
		r.Entries = append(r.Entries, e.name)
	}
	c.replays = append(c.replays, r)
	if err := c.st.SetReplays(c.replays); err != nil {
		return err
	}
	return describe(os.Rename(binary+upcoming, binary))
}

// settleReplays does what a run that was killed in noteReplay has left to do.
func (c *session) settleReplays() error {
	left, _ := filepath.Glob(filepath.Join(escapeGlob(c.layout.work("")), "replay*"+upcoming)) // well-formed
	if len(left) == 0 {
		return nil
	}
	snap, err := c.st.Snapshot()
	if err != nil {
		return err
	}
	for _, p := range snap.Replays {
		if b, err := disk.Read(p.File + upcoming); err == nil && checksum(b) == p.Sum {
			if err := os.Rename(p.File+upcoming, p.File); err != nil {
				return describe(err)
			}
		}
	}
	return nil
}
