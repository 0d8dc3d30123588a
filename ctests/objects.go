package ctests

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/toolchain"
)

// Objects are the files of a program as recorders link them, each compiled once for the same
// flags: the tests of every source file want all the others.
type Objects struct {
	clang *toolchain.Clang
	dir   string
	// From then on recorders save the time to build tests with AddressSanitizer, too. Zero: never.
	Hurry time.Time

	mu   sync.Mutex
	made map[string]*object
}

type object struct {
	once sync.Once
	path string
	err  error
}

// NewObjects makes a place for them, which the returned function removes.
func NewObjects(clang *toolchain.Clang) (*Objects, func(), error) {
	dir, err := os.MkdirTemp("", "klabel-objects-")
	if err != nil {
		return nil, nil, err
	}
	return &Objects{clang: clang, dir: dir, made: map[string]*object{}}, func() { _ = os.RemoveAll(dir) }, nil
}

// of compiles files, each with its flags, where nobody has done so. Objects stay as they are.
func (o *Objects) of(ctx context.Context, sources []string, flags func(source string) []string) ([]string, error) {
	out := slices.Clone(sources)
	var g errgroup.Group // what one failure would end, others may want
	g.SetLimit(runtime.NumCPU())
	for i, s := range sources {
		if filepath.Ext(s) == ".o" {
			continue
		}
		flags := append(toolchain.Flags(flags(s)).Compile(), "-c")
		if abs, err := filepath.Abs(s); err == nil {
			s = abs
		}
		m := o.object(s + "\x00" + strings.Join(flags, "\x00"))
		g.Go(func() error {
			m.once.Do(func() { m.err = o.clang.Executable(ctx, []string{s}, m.path, flags) })
			out[i] = m.path
			return m.err
		})
	}
	return out, g.Wait()
}

func (o *Objects) object(key string) *object {
	o.mu.Lock()
	defer o.mu.Unlock()
	m := o.made[key]
	if m == nil {
		m = &object{path: filepath.Join(o.dir, fmt.Sprintf("%d.o", len(o.made)))}
		o.made[key] = m
	}
	return m
}
