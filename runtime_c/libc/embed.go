// Package libc is the C library that programs are linked with when the native
// engine runs them: the part of string.h, ctype.h, stdlib.h and stdio.h that
// test programs call, in plain C without system headers; and a second one, of
// wide characters, getopt, the calendar, bits of numbers, signals, threads,
// folders, the status of files, streams without locks.
//
// It exists because the engine executes IR and has no native code to call. It
// favours few forks over speed: character classes are computed without
// branches. Where C leaves something open, or the library is not exact, it says
// so to the engine (klabel_any, klabel_sign, klabel_gap), and no claim rests on
// it. Limits: what goes to the world is dropped; there are no files but standard
// input, what a driver or --sym-files puts there, and what the program makes; numbers with
// a fraction are read exactly up to 15 digits or so, and written inexactly. malloc,
// memcpy and the like are the engine's own.
package libc

import (
	"bytes"
	"embed"
	"io/fs"
	"sort"
)

//go:embed src/*.c src/more/*.c src/libc.h
var files embed.FS

// Flags are what clang needs besides the usual ones.
var Flags = []string{"-ffreestanding", "-fno-builtin", "-std=gnu11"}

// Narrow makes it the library of 32-bit programs.
const Narrow = "-m32"

// Source is the library as one translation unit.
func Source() []byte { return join("src/*.c") }

// More is a second one, of what few programs call: only those that name something
// unknown are linked with it, so that the others do not read it.
func More() []byte { return join("src/more/*.c") }

func join(pattern string) []byte {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		panic(err) // a constant pattern
	}
	sort.Strings(names)
	var b bytes.Buffer
	for _, n := range append([]string{"src/libc.h"}, names...) {
		text, err := files.ReadFile(n)
		if err != nil {
			panic(err) // embedded
		}
		b.WriteString("#line 1 \"libc/" + n[4:] + "\"\n")
		b.Write(bytes.ReplaceAll(text, []byte("#include \"libc.h\""), nil))
		b.WriteByte('\n')
	}
	return b.Bytes()
}
