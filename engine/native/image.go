package native

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"klabel/engine/native/code"
	"klabel/engine/native/exec"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/runtime_c/libc"
)

// image is a program in files. It is read once and can then be explored any
// number of times, each time as if it had just been read.
type image struct {
	files []string
	links files
	libc  string
	clang string
	lib   *ir.Module // the C library, once it is read
	prog  *code.Program
	err   error
	begun func() // is called when the image is read; nil: nobody waits for it
}

// files is a repeatable flag; unlike in a list, a comma is part of a name.
type files []string

func (f *files) String() string { return strings.Join(*f, " ") }
func (f *files) Set(s string) error {
	*f = append(*f, s)
	return nil
}

func (im *image) flags(fs *flag.FlagSet) {
	fs.Func("libc", "compiled C library (.ll); one of KLEE's names (none, klee, uclibc) stands for the engine's own",
		func(s string) error {
			if s != "none" && s != "klee" && s != "uclibc" {
				im.libc = s
			}
			return nil
		})
	fs.StringVar(&im.clang, "clang", "", "clang to use for .bc files and the C library")
	fs.Var(&im.links, "link", "further file of the program")
	fs.Var(&im.links, "link-llvm-lib", "the same, as KLEE calls it")
}

// program returns the program, ready for an exploration.
func (im *image) program(ctx context.Context) (*code.Program, error) {
	if im.prog != nil {
		im.prog.Renew(expr.NewBuilder())
		return im.prog, nil
	}
	if im.err == nil {
		prog, err := im.read(ctx)
		if err != nil && ctx.Err() != nil {
			return nil, err // not the image's fault: another exploration may have the time
		}
		im.prog, im.err = prog, err
		if err == nil && im.begun != nil {
			im.begun()
		}
	}
	return im.prog, im.err
}

// read reads the program's files and the C library and links them.
func (im *image) read(ctx context.Context) (*code.Program, error) {
	var mods []*ir.Module
	for _, f := range im.files {
		m, err := im.module(ctx, f)
		if err != nil {
			return nil, err
		}
		mods = append(mods, m)
	}
	if len(mods) == 0 {
		return nil, errors.New("no program to run")
	}
	target := mods[0].Target
	lib, err := im.library(ctx, target)
	if err != nil {
		return nil, err
	}
	libs := []*ir.Module{lib}
	link, err := ir.Link(mods, libs)
	if err != nil {
		return nil, err
	}
	if unknown(link, mods) {
		path, err := im.compileLibc(ctx, libc.More(), target)
		if err != nil {
			return nil, err
		}
		more, err := im.module(ctx, path)
		if err != nil {
			return nil, err
		}
		libs = append(libs, more)
		if link, err = ir.Link(mods, libs); err != nil {
			return nil, err
		}
	}
	isLibrary := map[*ir.Module]bool{}
	for _, m := range libs {
		isLibrary[m] = true
	}
	return code.Load(link, expr.NewBuilder(), isLibrary, exec.Knows)
}

// unknown reports whether a program names something that has no meaning yet.
func unknown(link *ir.Program, mods []*ir.Module) bool {
	for _, m := range mods {
		for _, f := range m.Funcs {
			if s := link.Lookup(m, f.Name); !f.Defined && (s.Func == nil || !s.Func.Defined) && !exec.Knows(f.Name) {
				return true
			}
		}
		for _, g := range m.Globals {
			if s := link.Lookup(m, g.Name); g.Init == nil && (s.Global == nil || s.Global.Init == nil) {
				return true
			}
		}
	}
	return false
}

// library reads the C library of a target, once: more of the program it does not
// depend on. The one that is given stands for that of its own target.
func (im *image) library(ctx context.Context, target *ir.Target) (*ir.Module, error) {
	if im.lib == nil && im.libc != "" {
		var err error
		if im.lib, err = im.module(ctx, im.libc); err != nil {
			return nil, err
		}
	}
	if im.lib != nil && im.lib.Target.PtrBits == target.PtrBits {
		return im.lib, nil
	}
	path, err := im.compileLibc(ctx, libc.Source(), target)
	if err != nil {
		return nil, err
	}
	im.lib, err = im.module(ctx, path)
	return im.lib, err
}

func (im *image) module(ctx context.Context, path string) (*ir.Module, error) {
	text := path
	if filepath.Ext(path) == ".bc" {
		dir, err := os.MkdirTemp("", "klabel-ir-")
		if err != nil {
			return nil, fmt.Errorf("a place for %s as text: %w", path, err)
		}
		defer os.RemoveAll(dir)
		text = filepath.Join(dir, filepath.Base(path)+".ll")
		clang, err := im.findClang(ctx)
		if err != nil {
			return nil, err
		}
		if err := clang.IR(ctx, path, text, nil); err != nil {
			return nil, err
		}
	}
	b, err := os.ReadFile(text)
	if err != nil {
		return nil, err
	}
	return ir.Parse(path, b)
}
