package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"klabel/fault"
)

// ofExisting is the program of a run without a file that goes on from a folder of
// KLEE's: the one that KLEE ran, with its arguments where none are given. A project
// file comes first.
func (f *runFlags) ofExisting(cmd *cobra.Command, args []string) (files, program []string) {
	if len(f.existing) != 1 {
		return nil, args
	}
	if p, err := f.prog.proj.load(nil); p != nil || err != nil { // it is said where the file is applied
		return nil, args
	}
	file, ran, err := kleeRun(f.existing[0])
	if err != nil {
		return nil, args
	}
	if len(args) == 0 {
		args = ran
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "klabel: going on from %s: %s\n", f.existing[0],
		strings.Join(append([]string{file}, args...), " "))
	return []string{file}, args
}

// kleeRun reads of a folder that KLEE has written which program it ran, and with
// what arguments: its file "info" begins with the command line. The C file beside
// the bitcode is taken where there is one, unless labels are in the bitcode.
func kleeRun(dir string) (program string, args []string, err error) {
	info, err := os.ReadFile(filepath.Join(dir, "info"))
	if err != nil {
		return "", nil, fault.WithHint(fault.Usagef("%s is no output directory of KLEE's: it has no file 'info'", dir),
			"klabel replay FILE.c --tests %s", dir)
	}
	line, _, _ := strings.Cut(string(info), "\n")
	words := strings.Split(line, " ")
	for i := 1; i < len(words); i++ {
		w := words[i]
		if ext := filepath.Ext(w); strings.HasPrefix(w, "-") || ext != ".bc" && ext != ".ll" {
			continue
		}
		for from := range i { // KLEE does not quote: a name may have spaces
			if file := beside(dir, strings.Join(words[from+1:i+1], " ")); file != "" {
				return file, words[i+1:], nil
			}
		}
		return "", nil, fault.WithHint(fmt.Errorf("%s was made of %s, which is not there", dir, w),
			"klabel replay FILE.c --tests %s", dir)
	}
	return "", nil, fmt.Errorf("%s: %q names no program", filepath.Join(dir, "info"), line)
}

// beside finds the program that KLEE was given under a name: beside the folder, where
// KLEE makes it by itself, then from the working directory, and from where the folder is.
func beside(dir, bitcode string) string {
	at := filepath.Dir(filepath.Clean(dir))
	places := []string{filepath.Join(at, filepath.Base(bitcode)), bitcode}
	if !filepath.IsAbs(bitcode) {
		places = append(places, filepath.Join(at, bitcode))
	}
	for _, file := range places {
		source := strings.TrimSuffix(file, filepath.Ext(file)) + ".c"
		text, err := os.ReadFile(file)
		switch {
		case err == nil && bytes.Contains(text, []byte("klabel_enter")):
			return file
		case isFile(source):
			return source
		case err == nil:
			return file
		}
	}
	return ""
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}
