// Package runtime_c holds all the C that klabel ships, embedded into the
// program: the headers that labelled files and drivers include, the library
// behind covered(), the replay runtime, and the C library of the native engine.
//
// It exists so that klabel is one file to install and no user's -I has to point
// anywhere. It promises that the C compiles with nothing but clang and a C
// library, without warnings, and that Extract writes the same bytes each time.
// Limits: who compiles what, and with which flags, is said where
// it is done (replayer.Build, instrument, engine/klee).
//
//   - include/klee/klee.h: KLEE's public functions, whatever KLEE is installed
//   - include/harness_macros.h: the macros of hand-written drivers
//   - include/klabel/labels.h: labels as no-ops, for a build without klabel
//   - include/klabel/bitcode.h: labels that stay in a program's bitcode
//   - include/klabel/view.h and view/covered.c: the live view, as C sees it
//   - klee/lacking.c: what KLEE's C library lacks, and memory of symbolic sizes
//   - verifier/verifier.c: __VERIFIER_nondet_* and the like, for engine and replay
//   - replay/: the replay runtime (see replay/replay.h)
//   - fuzz/: the fuzzing runtime (see fuzz/fuzz.h)
//   - ctest/hits.c: records the labels that C tests of the user's hit
//   - ctest/parts/collect.h: records the labels that a project's own tests hit, in a copy of it
//   - annotate/, driver/, instrument/: C that is written into other C
//   - prune/: models that provers of labels need; read by package prune, not extracted
//   - libc/: C library for the native engine, a package of its own
package runtime_c

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"klabel/disk"
)

// FS holds the C files, below this folder.
//
//go:embed include view verifier klee replay fuzz prune ctest annotate driver instrument
var FS embed.FS

// Reading are the functions of the C library that the replay and the fuzzing runtime
// stand before (replay/reading.h), for the linker's --wrap: inline ones of the headers
// call them by names that no macro changes.
var Reading = []string{
	"scanf", "__isoc99_scanf", "__isoc23_scanf", "fscanf", "__isoc99_fscanf", "__isoc23_fscanf",
	"getchar", "getc", "fgetc", "fgets", "getline", "__getdelim", "read", "fread",
}

// Paths says where Extract has put things.
type Paths struct {
	Dir      string   // everything is below it
	Include  string   // for -I: klee/klee.h, harness_macros.h, klabel/
	Covered  string   // covered.c
	Verifier string   // verifier.c
	Lacking  string   // lacking.c
	Replay   []string // the C files of the replay runtime; they find replay.h by themselves
	Fuzz     []string // the C files of the fuzzing runtime
	FuzzLink string   // the linker script that goes with it
	Exported string   // the replay runtime's symbols that libraries may look up, for --dynamic-list
}

// Extract writes the C files below dir, which is created if need be. A file
// that is there already with the right content is left alone, so that several
// runs can share a folder and build systems see no change.
func Extract(dir string) (Paths, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Paths{}, fmt.Errorf("cannot place klabel's C files in %s: %w", dir, err)
	}
	p := Paths{
		Dir:      abs,
		Include:  filepath.Join(abs, "include"),
		Covered:  filepath.Join(abs, "view", "covered.c"),
		Verifier: filepath.Join(abs, "verifier", "verifier.c"),
		Lacking:  filepath.Join(abs, "klee", "lacking.c"),
		FuzzLink: filepath.Join(abs, "fuzz", "state.ld"),
		Exported: filepath.Join(abs, "replay", "exported.list"),
	}
	err = fs.WalkDir(FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !ships(name) {
			return err
		}
		to := filepath.Join(abs, filepath.FromSlash(name))
		if path.Dir(name) == "replay" && path.Ext(name) == ".c" {
			p.Replay = append(p.Replay, to)
		}
		if path.Dir(name) == "fuzz" && path.Ext(name) == ".c" {
			p.Fuzz = append(p.Fuzz, to)
		}
		return write(to, name)
	})
	if err != nil {
		return Paths{}, fmt.Errorf("cannot place klabel's C files in %s: %w", dir, err)
	}
	return p, nil
}

// Shared extracts to the user's folder for such things, so that line markers, and
// with them a program's text, are the same each time. Where there is none it is a
// temporary folder, which done removes.
func Shared() (p Paths, done func(), err error) {
	if dir, err := disk.Cache("c-" + Digest()); err == nil {
		p, err := Extract(dir)
		if err == nil {
			return p, func() {}, nil
		}
		disk.WithoutCache(err)
	}
	dir, err := os.MkdirTemp("", "klabel-c-")
	if err != nil {
		return p, nil, fmt.Errorf("no place for klabel's C files: %w", err)
	}
	done = func() { os.RemoveAll(dir) }
	if p, err = Extract(dir); err != nil {
		done()
		return p, nil, err
	}
	return p, done, nil
}

// Digest names this version of the C: it changes exactly when a file does.
func Digest() string {
	h := sha256.New()
	_ = fs.WalkDir(FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, _ := FS.ReadFile(name) // embedded files can be read
			fmt.Fprintf(h, "%s %d\n", name, len(b))
			h.Write(b)
		}
		return nil
	})
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// Text is one of the files, which is written into another text.
func Text(name string) string {
	b, err := FS.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded: a wrong name is a bug that every test of its user finds
	}
	return string(b)
}

// Piece is a file without the comment that it begins with, for texts that are read
// as a whole.
func Piece(name string) string {
	_, text, _ := strings.Cut(Text(name), "*/\n")
	return text
}

// ships tells what compilers are pointed at from what is read from FS alone.
func ships(name string) bool {
	for _, dir := range []string{"prune/", "ctest/parts/", "annotate/", "driver/", "instrument/"} {
		if strings.HasPrefix(name, dir) {
			return false
		}
	}
	return true
}

func write(to, name string) error {
	want, err := FS.ReadFile(name)
	if err != nil {
		return err
	}
	if have, err := disk.Read(to); err == nil && string(have) == string(want) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	// Another klabel may be compiling the same file: it is replaced in one step.
	return disk.Write(to, want)
}
