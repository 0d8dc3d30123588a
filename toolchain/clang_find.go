package toolchain

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The majors that are looked for as clang-NN, newest first.
const (
	newestClang = 21
	oldestClang = 11
)

// Clang is one clang of the machine and what belongs to it.
type Clang struct {
	Path     string
	Version  string // "14.0.6"
	Major    int
	HasASan  bool   // the runtime of AddressSanitizer can be linked
	HasUBSan bool   // the runtime of UndefinedBehaviorSanitizer can be linked
	Has32    bool   // programs of 32 bits can be compiled and run; asked by Want.All only
	HasFuzz  bool   // libFuzzer can be linked, as far as that was asked
	LLVMLink string // llvm-link of the same LLVM, empty when there is none

	fuzz func() bool // asks about libFuzzer, once
}

// canFuzz asks only when somebody wants to know: most runs have no fuzzer, and a
// question costs a run of clang.
func (c *Clang) canFuzz() bool { return c.HasFuzz || c.fuzz != nil && c.fuzz() }

func (t *Tools) probeClangs(ctx context.Context, w Want) error {
	wanted := w.Clang
	if wanted == "" {
		wanted = os.Getenv("CLANG")
	}
	if wanted != "" {
		c, err := probeClang(ctx, wanted, w.All)
		if err != nil {
			return err
		}
		if !w.All {
			c.askSanitizers(ctx)
		}
		t.Clang, t.Clangs, t.clangWanted = c, []*Clang{c}, true
		return nil
	}
	// The first is what the user means by "clang". Another one serves better only when
	// it has the sanitizers and the first has not: a run asks them then, or when an
	// engine needs another one.
	first, others := clangPaths(), []string(nil)
	if !w.All && len(first) > 0 {
		first, others = first[:1], first[1:]
	}
	t.askClangs(ctx, first, w.All)
	if len(t.Clangs) == 1 && t.Clangs[0].HasASan {
		later := context.WithoutCancel(ctx)
		t.moreClangs = sync.OnceFunc(func() { t.askClangs(later, others, w.All) })
	} else {
		t.askClangs(ctx, others, w.All)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(t.Clangs) == 0 {
		if t.clangErr == nil {
			t.clangErr = &MissingError{"clang", "not found on PATH (clang, clang-11 to clang-21)", installHint("clang")}
		}
		return nil
	}
	t.Clang = t.Clangs[0]
	if i := slices.IndexFunc(t.Clangs, func(c *Clang) bool { return c.HasASan }); i > 0 {
		t.Clang = t.Clangs[i]
	}
	return nil
}

// askClangs asks all of these at the same time and adds those that work, in this order.
func (t *Tools) askClangs(ctx context.Context, paths []string, thorough bool) {
	found, errs := make([]*Clang, len(paths)), make([]error, len(paths))
	var g sync.WaitGroup
	for i, path := range paths {
		g.Go(func() {
			found[i], errs[i] = probeClang(ctx, path, thorough)
			if errs[i] == nil && !thorough {
				found[i].askSanitizers(ctx)
			}
		})
	}
	g.Wait()
	for i, c := range found {
		if errs[i] != nil {
			t.clangErr = errs[i]
			continue
		}
		t.Clangs = append(t.Clangs, c)
	}
}

// allClangs are those that Probe had no need to ask about, too.
func (t *Tools) allClangs() []*Clang {
	if t.moreClangs != nil {
		t.moreClangs()
	}
	return t.Clangs
}

// clangPaths are the programs of those names that are there, each once.
func clangPaths() (paths []string) {
	seen := map[string]bool{}
	for _, name := range clangNames() {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil || seen[real] {
			continue
		}
		seen[real] = true
		paths = append(paths, path)
	}
	return paths
}

// clangNames lists where a clang may be: PATH first, then places where
// distributions and KLEE's own image keep theirs.
func clangNames() []string {
	names := []string{"clang"}
	for n := newestClang; n >= oldestClang; n-- {
		names = append(names, fmt.Sprintf("clang-%d", n))
	}
	for _, pattern := range []string{"/usr/lib/llvm-*/bin/clang", "/tmp/llvm-*-install*/bin/clang"} {
		more, _ := filepath.Glob(pattern) // the pattern is well-formed
		names = append(names, more...)
	}
	return names
}

var clangVersion = regexp.MustCompile(`clang version (\d+)((?:\.\d+)*)`)

func probeClang(ctx context.Context, name string, thorough bool) (*Clang, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, &MissingError{"clang", name + " is not a program that can be run", installHint("clang")}
	}
	argv := []string{path, "--version"}
	find := asked
	if thorough { // who asks what is there wants to know of now
		find = askedAnew
	}
	r, err := find(argv, func() (Result, error) { return Run(ctx, Command{Argv: argv, Timeout: versionTimeout}) })
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w", name, err)
	}
	m := clangVersion.FindSubmatch(r.Stdout)
	if m == nil {
		return nil, &MissingError{"clang", name + " does not say that it is clang",
			"give a clang with --clang or CLANG; " + installHint("clang")}
	}
	c := &Clang{Path: path, Version: string(m[1]) + string(m[2])}
	c.Major, _ = strconv.Atoi(string(m[1]))
	c.LLVMLink = findLLVMLink(path, c.Major)
	if thorough {
		c.HasASan = c.canRun(ctx, "-fsanitize=address", emptyMain)
		c.HasUBSan = c.canRun(ctx, "-fsanitize=undefined", emptyMain)
		c.HasFuzz = c.canRun(ctx, "-fsanitize=fuzzer", emptyTarget, "-runs=0")
		c.Has32 = c.Runs32(ctx) == nil
	} else {
		later := context.WithoutCancel(ctx)
		c.fuzz = sync.OnceValue(func() bool { return c.hasRuntime(later, "-fsanitize=fuzzer") })
	}
	return c, ctx.Err()
}

// askSanitizers looks for the runtimes, both at the same time.
func (c *Clang) askSanitizers(ctx context.Context) {
	var g sync.WaitGroup
	g.Go(func() { c.HasASan = c.hasRuntime(ctx, "-fsanitize=address") })
	g.Go(func() { c.HasUBSan = c.hasRuntime(ctx, "-fsanitize=undefined") })
	g.Wait()
}

func findLLVMLink(clang string, major int) string {
	numbered := fmt.Sprintf("llvm-link-%d", major)
	home := filepath.Dir(clang)
	if real, err := filepath.EvalSymlinks(clang); err == nil {
		home = filepath.Dir(real)
	}
	// Beside the resolved clang the plain name is of the same LLVM; in a bin
	// directory shared by several versions only the numbered one is sure.
	for _, p := range []string{filepath.Join(home, numbered), filepath.Join(home, "llvm-link"),
		filepath.Join(filepath.Dir(clang), numbered)} {
		if isFile(p) {
			return p
		}
	}
	if p, err := exec.LookPath(numbered); err == nil {
		return p
	}
	return ""
}

// hasRuntime asks the driver which libraries it would link for the flag, and
// looks whether they are there. It costs a fraction of linking.
func (c *Clang) hasRuntime(ctx context.Context, flag string) bool {
	argv := []string{c.Path, "-###", flag, "-x", "c", "/dev/null", "-o", "/dev/null"}
	ask := func() (Result, error) { return Run(ctx, Command{Argv: argv, Timeout: versionTimeout}) }
	if r, err := asked(argv, ask); err == nil && runtimesThere(r) {
		return true
	}
	r, err := askedAnew(argv, ask) // a runtime that was installed since may stand elsewhere
	return err == nil && runtimesThere(r)
}

func runtimesThere(r Result) bool {
	libraries := 0
	for _, word := range strings.Fields(string(r.Stderr)) {
		word = strings.Trim(word, `"`)
		if !strings.Contains(filepath.Base(word), "clang_rt") {
			continue
		}
		name := filepath.Base(word)
		if !strings.Contains(name, "san") && !strings.Contains(name, "fuzzer") {
			continue // the start files and builtins come with clang itself
		}
		if !strings.HasSuffix(word, ".syms") && !isFile(strings.TrimPrefix(word, "--dynamic-list=")) {
			return false
		}
		libraries++
	}
	return libraries > 0
}

// What canRun compiles.
const (
	emptyMain   = "int main(void) { return 0; }\n"
	emptyTarget = "int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p && n > 99; }\n"
)

// canRun compiles, links and runs a program with the flag.
func (c *Clang) canRun(ctx context.Context, flag, program string, args ...string) bool {
	dir, err := os.MkdirTemp("", "klabel-probe-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "probe")
	_, err = Run(ctx, Command{
		Argv:    []string{c.Path, flag, "-x", "c", "-", "-o", bin},
		Stdin:   strings.NewReader(program),
		Timeout: versionTimeout,
	})
	if err != nil {
		return false
	}
	_, err = Run(ctx, Command{Argv: append([]string{bin}, args...), Timeout: versionTimeout})
	return err == nil
}
