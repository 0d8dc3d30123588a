package native

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"klabel/toolchain"
)

// kleeExpectations names KLEE's test programs on which the native engine and KLEE
// show other kinds of errors, each with the reason.
const kleeExpectations = "testdata/klee-tests.txt"

// TestKLEEPrograms runs the programs of KLEE's own test suite that compile alone,
// in KLEE and in the native engine: the kinds of errors of the program must be
// the same, except where kleeExpectations says why not. It needs KLEE's sources
// (KLABEL_KLEE_SOURCES) and a KLEE; KLABEL_KLEE_ONLY is a pattern of names.
func TestKLEEPrograms(t *testing.T) {
	sources := os.Getenv("KLABEL_KLEE_SOURCES")
	if sources == "" {
		t.Skip("KLABEL_KLEE_SOURCES does not say where KLEE's sources are")
	}
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	klee, err := tools.RequireKLEE()
	if err != nil {
		t.Skipf("no KLEE: %v", err)
	}
	clang, err := tools.ClangFor(klee)
	if err != nil {
		t.Skip(err)
	}
	only := regexp.MustCompile(os.Getenv("KLABEL_KLEE_ONLY"))
	known := readExpectations(t)
	var mu sync.Mutex
	compared, same, gaveUp := 0, 0, 0
	t.Run("programs", func(t *testing.T) {
		root := filepath.Join(sources, "test")
		_ = filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
			rel, _ := filepath.Rel(root, path)
			if err != nil || filepath.Ext(path) != ".c" || !only.MatchString(rel) {
				return err
			}
			t.Run(rel, func(t *testing.T) {
				t.Parallel()
				p := &kleeProgram{file: path, include: filepath.Join(sources, "include")}
				if !p.prepare(t, clang.Path) {
					return
				}
				theirs, ours, left := p.klee(t, klee.Path), []string(nil), false
				if theirs == nil {
					return // KLEE refuses it: no main, another architecture
				}
				ours, left = p.native(t)
				mu.Lock()
				defer mu.Unlock()
				compared++
				if left {
					gaveUp++
				}
				reason, listed := known[rel]
				switch equal := slices.Equal(theirs, ours); {
				case equal:
					same++
					if listed {
						t.Logf("KLEE and the native engine agree, although %q", reason)
					}
				case !listed:
					t.Errorf("KLEE: %q, native: %q", theirs, ours)
				}
			})
			return nil
		})
	})
	t.Logf("%d programs compared, %d with the same kinds of errors; the native engine gave up paths of %d", compared,
		same, gaveUp)
}

func readExpectations(t *testing.T) map[string]string {
	b, err := os.ReadFile(kleeExpectations)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for _, line := range strings.Split(string(b), "\n") {
		if name, reason, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			known[name] = reason
		}
	}
	return known
}

// kleeProgram is one of KLEE's test programs, with what its RUN lines say of how
// it is compiled and started.
type kleeProgram struct {
	file, include      string
	bitcode, text      string
	options, arguments []string // KLEE's, the program's
}

var (
	compileLine = regexp.MustCompile(`RUN:.*%clang (.*)`)
	runLine     = regexp.MustCompile(`(?m)RUN:.*%klee ([^>|&\n]*)`)
	compileFlag = regexp.MustCompile(`^-(fsanitize|fno-sanitize|D|std|O\d|m32)`)
	kleeOption  = regexp.MustCompile(`^--?(posix-runtime|libc=|ubsan-runtime|external-calls|entry-point=)`)
)

// prepare reports whether the program compiles by itself.
func (p *kleeProgram) prepare(t *testing.T, clang string) bool {
	text, err := os.ReadFile(p.file)
	if err != nil {
		t.Fatal(err)
	}
	flags := []string{"-w", "-g", "-emit-llvm", "-I" + p.include, "-I" + filepath.Dir(p.file), "-O0", "-Xclang",
		"-disable-O0-optnone"}
	if m := compileLine.FindSubmatch(text); m != nil {
		for _, f := range strings.Fields(string(m[1])) {
			if compileFlag.MatchString(f) && !strings.Contains(f, "%") {
				flags = append(flags, f)
			}
		}
	}
	if m := runLine.FindSubmatch(text); m != nil {
		program := false
		for _, w := range strings.Fields(string(m[1])) {
			switch {
			case strings.HasSuffix(w, ".bc"):
				program = true
			case strings.Contains(w, "%"):
			case program:
				p.arguments = append(p.arguments, w)
			case kleeOption.MatchString(w):
				p.options = append(p.options, w)
			}
		}
	}
	dir := t.TempDir()
	p.bitcode, p.text = filepath.Join(dir, "p.bc"), filepath.Join(dir, "p.ll")
	for _, c := range [][]string{{"-c", "-o", p.bitcode}, {"-S", "-o", p.text}} {
		cmd := exec.Command(clang, append(append(slices.Clone(flags), p.file), c...)...)
		if cmd.Run() != nil {
			return false
		}
	}
	return true
}

const kleeLimit = 10 * time.Second

// klee returns the kinds of errors that KLEE finds, nil if it does not run the
// program.
func (p *kleeProgram) klee(t *testing.T, path string) []string {
	out := filepath.Join(t.TempDir(), "klee")
	args := append([]string{"--output-dir=" + out, "--max-time=" + fmt.Sprint(kleeLimit.Seconds()),
		"--max-memory=1000"}, p.options...)
	// In a group, all of which is ended: KLEE leaves its solver behind.
	_, err := toolchain.Run(t.Context(), toolchain.Command{Argv: append(
		append(append([]string{path}, args...), p.bitcode), p.arguments...),
		Dir: t.TempDir(), Timeout: 3 * kleeLimit, Guard: true})
	if err != nil {
		return nil
	}
	return programErrors(t, out)
}

// native returns the kinds of errors that the native engine finds, and whether
// it gave paths up.
func (p *kleeProgram) native(t *testing.T) (kinds []string, gaveUp bool) {
	out := filepath.Join(t.TempDir(), "native")
	args := []string{"--output-dir", out, "--clang", clang(t).Path, "--max-time", kleeLimit.String(),
		"--max-memory=1000"}
	for _, o := range p.options {
		if strings.Contains(o, "entry-point") {
			args = append(args, o)
		}
	}
	var stderr bytes.Buffer
	if code := Main(t.Context(), append(append(args, p.text), p.arguments...), &stderr, &stderr); code != 0 {
		t.Logf("native: %s", stderr.String())
		return nil, true
	}
	early, _ := filepath.Glob(filepath.Join(out, "*.early"))
	return programErrors(t, out), len(early) > 0
}

// programErrors are the kinds of errors in an output directory, without those
// that speak of the engine.
func programErrors(t *testing.T, dir string) []string {
	return slices.DeleteFunc(append([]string{}, suffixes(t, dir)...), func(s string) bool {
		return slices.Contains([]string{"external.err", "exec.err", "model.err", "solver.err"}, s)
	})
}
