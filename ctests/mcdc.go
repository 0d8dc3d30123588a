package ctests

import (
	"context"
	"errors"
	"fmt"
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

// MCDC builds the program of a folder as its Makefile does, with a compiler that
// measures MC/DC and these flags, runs it as confined as any test, and returns what
// it measured. Tests that fail are no error.
func MCDC(ctx context.Context, m *toolchain.MCDC, dir, flags string, timeout time.Duration) ([]toolchain.MCDCRecord,
	error) {
	command, err := compileLine(filepath.Join(dir, "Makefile"))
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "klabel-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	scratch, profiles := filepath.Join(tmp, "run"), filepath.Join(tmp, "profiles")
	for _, d := range []string{scratch, profiles} {
		if err := os.Mkdir(d, 0o777); err != nil {
			return nil, err
		}
	}
	program := filepath.Join(tmp, "program")
	env := append(os.Environ(), "CC="+m.Clang.Path, "CFLAGS="+m.Flags()+" "+flags, "OUT="+program)
	build := toolchain.Command{Argv: []string{"sh", "-c", command}, Dir: dir, Env: env}
	if _, err := toolchain.Run(ctx, build); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, compileFailure(err))
	}
	c := confined(scratch, profiles)
	c.Readable = append(c.Readable, tmp)
	_, err = toolchain.Run(ctx, toolchain.Command{Argv: []string{program}, Dir: scratch, Confine: c, Timeout: timeout,
		Env: environment(c, "LLVM_PROFILE_FILE="+filepath.Join(profiles, "%m.profraw"),
			"ASAN_OPTIONS=detect_leaks=0:halt_on_error=0:allocator_may_return_null=1")})
	var failed *toolchain.ToolError
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	files, _ := filepath.Glob(filepath.Join(profiles, "*.profraw"))
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: its program leaves no profile: %v", dir, err)
	}
	return m.Export(ctx, program, files, tmp)
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
