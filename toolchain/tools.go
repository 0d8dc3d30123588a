package toolchain

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Want says which tools the user asked for by name, and how much to probe.
type Want struct {
	Clang  string // path or name; empty: $CLANG, then PATH
	KLEE   string // path or name; empty: $KLABEL_KLEE, then PATH
	FramaC string // path or name; empty: PATH
	// All also asks the tools for their versions that a run of the engine does
	// not need, and tries the sanitizers out for real: what doctor wants.
	All bool
}

// Tools is what was found. It is filled once by Probe and never changes, but
// for further clangs. A tool that was not found is nil.
type Tools struct {
	Clang  *Clang   // the one for native code and preprocessing
	Clangs []*Clang // every clang asked, the preferred one first
	KLEE   *KLEE
	FramaC *Tool
	Z3     *Tool
	CVC4   *Tool
	CVC5   *Tool
	Make   *Tool
	Docker *Tool

	moreClangs  func() // asks the others, once; nil: all are in Clangs
	clangWanted bool   // the clang was chosen by the user: use no other
	clangErr    error  // why there is no clang
	kleeErr     error
}

// Tool is an external program of which nothing more than this needs knowing.
type Tool struct {
	Name    string
	Path    string
	Version string // empty unless Want.All
}

const versionTimeout = 20 * time.Second

// Probe looks for the tools. It fails only when the context ends or a tool
// that the user named does not work; a tool that is absent is reported by the
// method that needs it (RequireClang and the like).
func Probe(ctx context.Context, w Want) (*Tools, error) {
	t := &Tools{}
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error { return t.probeClangs(gctx, w) })
	g.Go(func() error { return t.probeKLEE(gctx, w) })
	g.Go(func() error { return t.probeFramaC(gctx, w) })
	for _, other := range []struct {
		into **Tool
		name string
		args []string
	}{
		{&t.Z3, "z3", []string{"--version"}},
		{&t.CVC4, "cvc4", []string{"--version"}},
		{&t.CVC5, "cvc5", []string{"--version"}},
		{&t.Make, "make", []string{"--version"}},
		{&t.Docker, "docker", []string{"--version"}},
	} {
		g.Go(func() error {
			*other.into = findTool(gctx, other.name, w.All, other.args)
			return nil
		})
	}
	err := g.Wait()
	if ctx.Err() != nil { // who is interrupted is not told of what is missing
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// RequireClang returns the clang for native code, or a *MissingError.
func (t *Tools) RequireClang() (*Clang, error) {
	if t.Clang == nil {
		return nil, t.clangErr
	}
	return t.Clang, nil
}

// ClangForFuzzing returns the clang that libFuzzer can be linked with: the one for
// native code if it can, else another one; or a *MissingError.
func (t *Tools) ClangForFuzzing() (*Clang, error) {
	c, err := t.RequireClang()
	if err != nil || c.canFuzz() {
		return c, err
	}
	for _, other := range t.allClangs() {
		if other.canFuzz() {
			return other, nil
		}
	}
	return nil, &MissingError{"libFuzzer", "clang " + c.Version + " comes without it", runtimeHint(c.Major)}
}

// RequireKLEE returns KLEE, or a *MissingError, also when it is too old.
func (t *Tools) RequireKLEE() (*KLEE, error) {
	if t.KLEE == nil {
		return nil, t.kleeErr
	}
	if err := t.KLEE.Supported(); err != nil {
		return nil, err
	}
	return t.KLEE, nil
}

func (t *Tools) probeFramaC(ctx context.Context, w Want) error {
	name := w.FramaC
	if name == "" {
		name = "frama-c"
	}
	t.FramaC = findTool(ctx, name, w.All, []string{"-version"})
	if t.FramaC == nil {
		if w.FramaC != "" {
			return &MissingError{"Frama-C", notFound(w.FramaC, "frama-c"), installHint("frama-c")}
		}
		return nil
	}
	t.FramaC.Name = "frama-c"
	return nil
}

func notFound(wanted, fallback string) string {
	if wanted != "" {
		return fmt.Sprintf("%s is not a program that can be run", wanted)
	}
	return fallback + " not found on PATH"
}

// findTool returns nil when there is no such program. A version that cannot be
// read is left empty: the program may be of another kind than expected.
func findTool(ctx context.Context, name string, version bool, args []string) *Tool {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil
	}
	tool := &Tool{Name: name, Path: path}
	if version {
		if r, err := Run(ctx, Command{Argv: append([]string{path}, args...), Timeout: versionTimeout}); err == nil {
			tool.Version = versionIn(string(r.Stdout))
		}
	}
	return tool
}

// versionIn finds the first word in a text that looks like a version: digits
// and at least one dot.
func versionIn(text string) string {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == '\n' || r == '\t' || r == ',' || r == '(' || r == ')'
	}) {
		word = strings.TrimPrefix(word, "v")
		if word != "" && word[0] >= '0' && word[0] <= '9' && strings.Contains(word, ".") {
			return word
		}
	}
	return ""
}

// installHint says how a tool gets onto this machine, by the package manager
// that is there.
func installHint(tool string) string {
	apt := map[string]string{
		"clang": "clang llvm", "frama-c": "frama-c-base why3 z3 cvc4", "z3": "z3", "cvc4": "cvc4", "cvc5": "cvc5",
		"make": "make", "docker": "docker.io", "libc": "libc6-dev",
	}[tool]
	switch {
	case tool == "klee":
		return "install KLEE 2.3 or later (https://klee.github.io/getting-started/), or use the klee/klee image of " +
			"docker/; then --klee PATH or KLABEL_KLEE=PATH"
	case apt != "" && hasProgram("apt-get"):
		return "sudo apt-get install " + apt
	case apt != "" && hasProgram("dnf"):
		return "sudo dnf install " + strings.Fields(apt)[0]
	case apt != "" && hasProgram("brew"):
		return "brew install " + strings.Fields(apt)[0]
	}
	return "install " + tool + " and put it on PATH"
}

func hasProgram(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// OnPath is where a program is that is not one of Tools: a project's own build.
func OnPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("there is no %s on this machine", name)
	}
	return path, nil
}
