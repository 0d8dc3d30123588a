package ctests

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"klabel/disk"
	"klabel/fault"
	"klabel/toolchain"
)

// Runners finds the folders below dir in which Write has left a program.
func Runners(dir string) []string {
	var out []string
	for _, pattern := range []string{RunnerFile, "*/" + RunnerFile} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, f := range found {
			out = append(out, filepath.Dir(f))
		}
	}
	return out
}

// ElsewhereFlags have objects lie elsewhere in memory than without.
const ElsewhereFlags = "-fsanitize=address -fsanitize-recover=address"

// measuring is the program of a folder, built so that it measures itself.
type measuring struct {
	tmp, program, scratch, profiles string
}

// built compiles the program of a folder as its Makefile does, with a compiler and
// flags of its own.
func built(ctx context.Context, dir, compiler, flags string) (m measuring, err error) {
	command, err := compileLine(filepath.Join(dir, "Makefile"))
	if err != nil {
		return m, err
	}
	if m.tmp, err = os.MkdirTemp("", "klabel-check-"); err != nil {
		return m, err
	}
	m.scratch, m.profiles = filepath.Join(m.tmp, "run"), filepath.Join(m.tmp, "profiles")
	m.program = filepath.Join(m.tmp, "program")
	for _, d := range []string{m.scratch, m.profiles} {
		if err := os.Mkdir(d, 0o777); err != nil {
			return m, err
		}
	}
	env := append(os.Environ(), "CC="+compiler, "CFLAGS="+flags, "OUT="+m.program)
	build := toolchain.Command{Argv: []string{"sh", "-c", command}, Dir: dir, Env: env}
	if _, err := toolchain.Run(ctx, build); err != nil {
		return m, fmt.Errorf("%s: %w", dir, compileFailure(err))
	}
	return m, nil
}

func (m measuring) remove() {
	if m.tmp != "" {
		os.RemoveAll(m.tmp)
	}
}

// run runs the program as confined as any test, and returns the files with this
// ending that it has left. Tests that fail are no error.
func (m measuring) run(ctx context.Context, timeout time.Duration, ending string, env ...string) ([]string, error) {
	c := confined(m.scratch, m.profiles)
	c.Readable = append(c.Readable, m.tmp)
	_, err := toolchain.Run(ctx, toolchain.Command{Argv: []string{m.program}, Dir: m.scratch, Confine: c,
		Timeout: timeout, Env: environment(c, env...)})
	var failed *toolchain.ToolError
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	var files []string
	_ = filepath.WalkDir(m.profiles, func(path string, d fs.DirEntry, walk error) error {
		if walk == nil && d.Type().IsRegular() && strings.HasSuffix(path, ending) {
			files = append(files, path)
		}
		return nil
	})
	if len(files) == 0 {
		return nil, fmt.Errorf("its program leaves no profile: %v", err)
	}
	return files, nil
}

// MCDC builds the program of a folder with a clang that measures MC/DC and these
// flags, runs it, and returns what it measured.
func MCDC(ctx context.Context, c *toolchain.MCDC, dir, flags string, timeout time.Duration) ([]toolchain.MCDCRecord,
	error) {
	m, err := built(ctx, dir, c.Clang.Path, c.Flags()+" "+flags)
	defer m.remove()
	if err != nil {
		return nil, err
	}
	files, err := m.run(ctx, timeout, ".profraw", "LLVM_PROFILE_FILE="+filepath.Join(m.profiles, "%m.profraw"),
		"ASAN_OPTIONS=detect_leaks=0:halt_on_error=0:allocator_may_return_null=1")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return c.Export(ctx, m.program, files, m.tmp)
}

// Conditions is the same with gcc, which leaves notes of the program beside it;
// what its runs count is put there.
func Conditions(ctx context.Context, g *toolchain.GCC, dir string, timeout time.Duration) (out toolchain.GCCMeasure,
	err error) {
	m, err := built(ctx, dir, g.Path, g.Flags())
	defer m.remove()
	if err != nil {
		return out, err
	}
	files, err := m.run(ctx, timeout, ".gcda", "GCOV_PREFIX="+m.profiles)
	if err != nil {
		return out, fmt.Errorf("%s: %w", dir, err)
	}
	var counts []string
	for _, f := range files {
		name := filepath.Base(f)
		if _, err := os.Stat(filepath.Join(m.tmp, strings.TrimSuffix(name, ".gcda")+".gcno")); err != nil {
			continue // none of the compiler's
		}
		if err := os.Rename(f, filepath.Join(m.tmp, name)); err != nil {
			return out, err
		}
		counts = append(counts, name)
	}
	if len(counts) == 0 {
		return out, fmt.Errorf("%s: its program leaves no counts for gcov", dir)
	}
	return g.Conditions(ctx, m.tmp, counts)
}

// compileLine is the rule of a Makefile of Write's, for a shell whose environment
// has the variables.
func compileLine(path string) (string, error) {
	text, err := disk.Read(path)
	if err != nil {
		return "", err
	}
	for _, l := range strings.Split(string(text), "\n") {
		l, rule := strings.CutPrefix(l, "\t")
		if rule && strings.HasPrefix(l, "$(CC) ") {
			return strings.NewReplacer("$@", `"$OUT"`, "$(CC)", `"$CC"`, "$(CFLAGS)", "$CFLAGS", "$$", "$").Replace(l), nil
		}
	}
	return "", fault.WithHint(fmt.Errorf("%s compiles no C program", path), "run with --style plain")
}
