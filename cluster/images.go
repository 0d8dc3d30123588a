package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"klabel/disk"
	"klabel/engine"
)

// uploads are the images that a coordinator has put into the object store.
type uploads struct {
	one   gate
	files map[string]File // by path, size and time
}

// gate lets one in at a time, over the network too: whoever waits can be called off.
type gate chan struct{}

func newGate() gate { return make(gate, 1) }

func (g gate) enter(ctx context.Context) error {
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) leave() { <-g }

// image puts what an engine needs of a program into the store, what is not there.
func (u *uploads) image(ctx context.Context, store jetstream.ObjectStore, p engine.Program, preload string) (im Image,
	err error) {
	if err := u.one.enter(ctx); err != nil {
		return im, err
	}
	defer u.one.leave()
	for _, path := range p.Files {
		f, err := u.file(ctx, store, path)
		if err != nil {
			return im, err
		}
		im.Files = append(im.Files, f)
	}
	if preload != "" {
		f, err := u.file(ctx, store, preload)
		if err != nil {
			return im, err
		}
		im.Preload = &f
	}
	return im, nil
}

func (u *uploads) file(ctx context.Context, store jetstream.ObjectStore, path string) (File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return File{}, err
	}
	key := fmt.Sprintf("%s\x00%d %d", path, st.Size(), st.ModTime().UnixNano())
	if f, ok := u.files[key]; ok {
		return f, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return File{}, err
	}
	f := File{Name: filepath.Base(path), Sum: sum(b), Mode: uint32(st.Mode().Perm())}
	for end := time.Now().Add(serverTime); ; {
		if err = put(ctx, store, f.Sum, b); err == nil {
			break
		}
		if ctx.Err() != nil || time.Now().After(end) {
			return f, fmt.Errorf("storing %s for workers: %w", path, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	if u.files == nil {
		u.files = map[string]File{}
	}
	u.files[key] = f
	return f, nil
}

// serverTime is how long one waits for a server that is out of reach.
const serverTime = 30 * time.Second

func put(ctx context.Context, store jetstream.ObjectStore, sum string, b []byte) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, err := store.GetInfo(ctx, sum)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		_, err = store.PutBytes(ctx, sum, b)
	}
	return err
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// cache is a worker's folder of files by content.
type cache struct {
	dir   string
	one   gate
	sound map[string]bool // paths that this process has written or checked
}

var (
	sumText  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	fileText = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)
)

// fetch brings a file from the store, if it is not here, and returns its path. It
// lies in a folder of its sum, under its name. What is there is checked once more:
// nobody vouches for a folder that was there before.
func (c *cache) fetch(ctx context.Context, store jetstream.ObjectStore, f File) (string, error) {
	if !sumText.MatchString(f.Sum) || !fileText.MatchString(f.Name) {
		return "", fmt.Errorf("a file %q of the image has no good name", f.Name)
	}
	if err := c.one.enter(ctx); err != nil {
		return "", err
	}
	defer c.one.leave()
	path := filepath.Join(c.dir, f.Sum, f.Name)
	if _, err := os.Stat(path); err == nil && c.sound[path] {
		return path, nil
	}
	if c.sound == nil {
		c.sound = map[string]bool{}
	}
	if b, err := disk.Read(path); err == nil && sum(b) == f.Sum {
		c.sound[path] = true
		return path, nil
	}
	r, err := store.Get(ctx, f.Sum)
	if err != nil {
		return "", fmt.Errorf("fetching %s: %w", f.Name, err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		return "", fmt.Errorf("fetching %s: %w", f.Name, err)
	}
	if sum(b) != f.Sum {
		return "", fmt.Errorf("fetching %s: what came is not what was named", f.Name)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	if err := disk.Write(path, b); err != nil {
		return "", err
	}
	c.sound[path] = true
	return path, os.Chmod(path, 0o600|os.FileMode(f.Mode)&0o111)
}

// program brings an image and returns what an engine is given.
func (c *cache) program(ctx context.Context, store jetstream.ObjectStore, s *Slice) (p engine.Program, preload string,
	err error) {
	for _, f := range s.Image.Files {
		path, err := c.fetch(ctx, store, f)
		if err != nil {
			return p, "", err
		}
		p.Files = append(p.Files, path)
	}
	if s.Image.Preload != nil {
		if preload, err = c.fetch(ctx, store, *s.Image.Preload); err != nil {
			return p, "", err
		}
	}
	p.Entry = s.Entry
	return p, preload, nil
}
