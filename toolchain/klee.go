package toolchain

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// KLEE is the KLEE of the machine: its versions, and what it was built with.
type KLEE struct {
	Path         string
	Fork         string // "KLEEF", "TracerX"; empty: KLEE itself
	Version      string // "3.1", "3.2-pre", "KLEEF 3.0"
	Major, Minor int
	LLVM         string // "14.0.6"
	LLVMMajor    int
	RuntimeDir   string // where its runtime libraries are; empty when unknown
	Posix        bool   // has the POSIX runtime (assumed when unknown)
	Uclibc       bool   // has uclibc (assumed when unknown)
	STP          bool   // STP is its default solver; false when unknown
	Chosen       bool   // by --klee or KLABEL_KLEE; false: found on PATH

	options map[string]bool   // nil when --help could not be read
	words   map[string]string // the first word that an option takes of a list
}

// The oldest KLEE whose options are known here.
const oldestKLEEMajor, oldestKLEEMinor = 2, 3

// AtLeast compares KLEE's version.
func (k *KLEE) AtLeast(major, minor int) bool {
	return k.Major > major || k.Major == major && k.Minor >= minor
}

// forkOptions are what a fork needs to know to be driven as KLEE is. Its own version
// tells nothing of that.
var forkOptions = []string{"output-dir", "entry-point", "search", "max-time", "max-solver-time", "external-calls",
	"emit-all-errors", "only-output-states-covering-new", "dump-states-on-halt"}

// Supported reports, as a *MissingError, that this KLEE is too old, or that a fork
// has not kept KLEE's command line.
func (k *KLEE) Supported() error {
	if k.Fork != "" {
		for _, o := range forkOptions {
			if !k.HasOption(o) {
				return &MissingError{"KLEE", fmt.Sprintf("%s is %s, a fork whose --help-hidden lists no --%s, which "+
					"KLEE has since 2.3", k.Path, k.Version, o), installHint("klee")}
			}
		}
		return nil
	}
	if k.AtLeast(oldestKLEEMajor, oldestKLEEMinor) {
		return nil
	}
	return &MissingError{"KLEE", fmt.Sprintf("%s is version %s, which is too old: 2.3 or later is needed", k.Path,
		k.Version), installHint("klee")}
}

// called is KLEE's name and version, for people.
func (k *KLEE) called() string {
	if k.Fork != "" {
		return k.Version
	}
	return "KLEE " + k.Version
}

// HasOption reports whether this KLEE lists the option (without dashes) in its
// help. It says false when the help could not be read.
func (k *KLEE) HasOption(name string) bool { return k.options[name] }

// FirstWord is the first of the words that an option takes, "" if it takes no word of
// a list as far as the help says: a switch in one release may be a choice in another.
func (k *KLEE) FirstWord(option string) string { return k.words[option] }

// KnowsOptions reports whether the help could be read.
func (k *KLEE) KnowsOptions() bool { return k.options != nil }

func (t *Tools) probeKLEE(ctx context.Context, w Want) error {
	wanted := w.KLEE
	if wanted == "" {
		wanted = os.Getenv("KLABEL_KLEE")
	}
	name := wanted
	if name == "" {
		name = "klee"
	}
	k, err := probeKLEE(ctx, name, wanted != "")
	if err != nil {
		t.kleeErr = err
		if w.KLEE != "" || ctx.Err() != nil {
			return err
		}
		return nil
	}
	k.Chosen = wanted != ""
	t.KLEE = k
	return nil
}

var (
	// Forks say a name of their own there.
	kleeVersion = regexp.MustCompile(`(?m)^[ \t]*([A-Za-z][\w+-]*) v?(\d+)\.(\d+)([^\s,]*)`)
	llvmVersion = regexp.MustCompile(`LLVM version (\d+)(\.[0-9.]+)?`)
	kleeOption  = regexp.MustCompile(`(?m)^\s+--?([a-zA-Z0-9][-a-zA-Z0-9_]*)(?:[^\n]*\n\s+=([\w-]+))?`)
)

func probeKLEE(ctx context.Context, name string, wanted bool) (*KLEE, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		why := "klee not found on PATH"
		if wanted {
			why = name + " is not a program that can be run"
		}
		return nil, &MissingError{"KLEE", why, installHint("klee")}
	}
	r, err := Run(ctx, Command{Argv: []string{path, "--version"}, Timeout: versionTimeout})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &MissingError{"KLEE", fmt.Sprintf("%s --version failed: %s", path, TellingLine(err.Error())),
			installHint("klee")}
	}
	k, err := parseKLEEVersion(string(r.Stdout) + "\n" + string(r.Stderr))
	if err != nil {
		return nil, &MissingError{"KLEE", fmt.Sprintf("%s --version: %v", path, err), installHint("klee")}
	}
	k.Path = path
	k.findRuntime()
	if r, err := Run(ctx, Command{Argv: []string{path, "--help-hidden"}, Timeout: versionTimeout}); err == nil {
		k.readHelp(string(r.Stdout))
	}
	return k, ctx.Err()
}

func (k *KLEE) readHelp(text string) {
	k.options, k.words = map[string]bool{}, map[string]string{}
	for _, m := range kleeOption.FindAllStringSubmatch(text, -1) {
		k.options[m[1]] = true
		if m[2] != "" {
			k.words[m[1]] = m[2]
		}
	}
	if !k.options["output-dir"] {
		k.options, k.words = nil, nil // not a help text that we understand
	}
	k.STP = k.options["use-forked-solver"] && stpDefault.MatchString(text)
}

// stpDefault is how the help marks the solver that a build uses unless told.
var stpDefault = regexp.MustCompile(`=stp\s.*\(default\)`)

func parseKLEEVersion(text string) (*KLEE, error) {
	m := kleeVersion.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("no line \"KLEE X.Y\"")
	}
	k := &KLEE{Version: m[2] + "." + m[3] + m[4]}
	if m[1] != "KLEE" {
		k.Fork, k.Version = m[1], m[1]+" "+k.Version
	}
	k.Major, _ = strconv.Atoi(m[2]) // digits by the pattern
	k.Minor, _ = strconv.Atoi(m[3])
	l := llvmVersion.FindStringSubmatch(text)
	if l == nil {
		return nil, fmt.Errorf("no line \"LLVM version N\"")
	}
	k.LLVM = l[1] + l[2]
	k.LLVMMajor, _ = strconv.Atoi(l[1])
	return k, nil
}

// findRuntime looks where KLEE itself looks: an installed KLEE beside its bin
// directory, one in its build tree under runtime/lib.
func (k *KLEE) findRuntime() {
	k.Posix, k.Uclibc = true, true
	real, err := filepath.EvalSymlinks(k.Path)
	if err != nil {
		return
	}
	bin := filepath.Dir(real)
	dirs := []string{
		os.Getenv("KLEE_RUNTIME_LIBRARY_PATH"),
		filepath.Join(bin, "../lib/klee/runtime"),
		filepath.Join(bin, "../lib64/klee/runtime"),
		filepath.Join(bin, "../runtime/lib"),
	}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*.bca"))
		if len(files) == 0 {
			continue
		}
		k.RuntimeDir, k.Posix, k.Uclibc = filepath.Clean(dir), false, false
		for _, f := range files {
			name := filepath.Base(f)
			k.Posix = k.Posix || strings.HasPrefix(name, "libkleeRuntimePOSIX")
			k.Uclibc = k.Uclibc || strings.Contains(name, "uclibc")
		}
		return
	}
}

// ClangFor returns the clang whose bitcode this KLEE can read: one of the same
// LLVM, else the newest of those that are older. The error is a *MissingError
// that says which clang to install.
func (t *Tools) ClangFor(k *KLEE) (*Clang, error) {
	clangs := t.allClangs()
	if len(clangs) == 0 {
		return nil, &MissingError{"clang", "none found; " + k.called() + " wants clang " +
			strconv.Itoa(k.LLVMMajor), clangHint(k.LLVMMajor)}
	}
	var best *Clang
	for _, c := range clangs {
		if c.Major <= k.LLVMMajor && (best == nil || c.Major > best.Major) {
			best = c
		}
	}
	if best != nil {
		return best, nil
	}
	found := make([]string, 0, len(clangs))
	for _, c := range clangs {
		found = append(found, c.Version)
	}
	hint := clangHint(k.LLVMMajor)
	if t.clangWanted {
		hint = "leave out --clang (and CLANG), or give an older one; " + hint
	}
	return nil, &MissingError{
		"clang", fmt.Sprintf("%s reads bitcode up to LLVM %d, and the clang found is newer (%s)", k.called(),
			k.LLVMMajor, strings.Join(found, ", ")), hint,
	}
}

func clangHint(major int) string {
	if hasProgram("apt-get") {
		return fmt.Sprintf("sudo apt-get install clang-%d llvm-%d", major, major)
	}
	return fmt.Sprintf("install clang %d and put it on PATH as clang-%d", major, major)
}

func llvmLinkHint(major int) string {
	if hasProgram("apt-get") {
		return fmt.Sprintf("sudo apt-get install llvm-%d", major)
	}
	return fmt.Sprintf("install the tools of LLVM %d and put llvm-link on PATH as llvm-link-%d", major, major)
}
