package toolchain

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"klabel/disk"
)

// Before a run compiles anything it asks clang for its version, for the libraries that it would
// link and for what it compiles for: each costs 30 ms of a processor. What a program file says to
// the same words stays the same, so the answers are kept with those that can be made again. A
// script is asked each time: what it calls may be another clang by now.

type answer struct{ Stdout, Stderr []byte }

// asked gives what a clang said to these words before, or has it asked.
func asked(argv []string, ask func() (Result, error)) (Result, error) {
	path := answerPath(argv)
	if a, ok := readAnswer(path); ok {
		return Result{Stdout: a.Stdout, Stderr: a.Stderr}, nil
	}
	return askedAnew(argv, ask)
}

// askedAnew has it asked, and keeps the answer.
func askedAnew(argv []string, ask func() (Result, error)) (Result, error) {
	r, err := ask()
	path := answerPath(argv)
	if err != nil || path == "" {
		return r, err
	}
	text, werr := json.Marshal(answer{r.Stdout, r.Stderr})
	if werr == nil {
		werr = os.MkdirAll(filepath.Dir(path), 0o777)
	}
	if werr == nil {
		werr = disk.Write(path, append([]byte(seal(path, text)), text...))
	}
	if werr != nil { // it is asked next time
		disk.WithoutCache(werr)
	}
	return r, nil
}

func readAnswer(path string) (a answer, ok bool) {
	if path == "" {
		return a, false
	}
	text, err := disk.Read(path)
	if err != nil {
		return a, false
	}
	sum, text, _ := bytes.Cut(text, []byte("\n"))
	ok = string(sum)+"\n" == seal(path, text) && json.Unmarshal(text, &a) == nil
	return a, ok
}

// seal tells an answer that is whole.
func seal(path string, text []byte) string {
	return fmt.Sprintf("%x\n", sha256.Sum256(append([]byte(filepath.Base(path)), text...)))
}

// answerPath is where the answer of a program file is kept, named after the file, as it is now, and
// the words; "" if it is none that always says the same.
func answerPath(argv []string) string {
	real, err := filepath.EvalSymlinks(argv[0])
	if err != nil || !strings.HasPrefix(filepath.Base(real), "clang") {
		return "" // what stands in for several compilers looks at its name
	}
	f, err := os.Open(real)
	if err != nil {
		return ""
	}
	defer f.Close()
	magic := make([]byte, 4)
	fi, err := f.Stat()
	if _, rerr := f.Read(magic); err != nil || rerr != nil || string(magic) != "\x7fELF" {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %d %q %q", real, fi.Size(), fi.ModTime().UnixNano(), argv, os.Getenv("CCC_OVERRIDE_OPTIONS"))
	path, err := disk.Cache("answers", fmt.Sprintf("%x", h.Sum(nil)))
	if err != nil {
		return ""
	}
	return path
}
