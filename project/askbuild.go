package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/disk"
	"klabel/toolchain"
)

func askCMake(ctx context.Context, root, work string) ([]command, error) {
	dir := filepath.Join(work, "build")
	if err := run(ctx, root, work, configureTime, nil, "cmake", "-S", root, "-B", dir,
		"-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"); err != nil {
		return nil, err
	}
	return readCommands(filepath.Join(dir, DatabaseName))
}

func askMeson(ctx context.Context, root, work string) ([]command, error) {
	dir := filepath.Join(work, "build")
	argv := []string{"meson", "setup", dir, root}
	if !Missing(filepath.Join(dir, "build.ninja")) {
		argv = append(argv, "--reconfigure")
	}
	if err := run(ctx, root, work, configureTime, nil, argv...); err != nil {
		return nil, err
	}
	return readCommands(filepath.Join(dir, DatabaseName))
}

// askConfigure lets configure work in klabel's folder: builds outside of the
// sources are what it is made for.
func askConfigure(ctx context.Context, root, work string) ([]command, error) {
	dir := filepath.Join(work, "build")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if anyMakefile(dir) == "" {
		script := fmt.Sprintf("cd '%s' && '%s'", quoted(dir), quoted(filepath.Join(root, "configure")))
		if err := run(ctx, root, work, configureTime, nil, "sh", "-c", script); err != nil {
			return nil, err
		}
	}
	return askMakeIn(ctx, root, work, dir, "-nwk")
}

func askMake(ctx context.Context, root, work string) ([]command, error) {
	// All is asked for, as if nothing were made; what configure has written is.
	all := []string{"-nwkB"}
	for _, made := range []string{"Makefile", "Makefile.in", "config.status", "configure", "aclocal.m4", "config.h",
		"config.h.in", "stamp-h1"} {
		all = append(all, "-o", made)
	}
	found, err := askMakeIn(ctx, root, work, root, all...)
	if len(found) == 0 {
		return askMakeIn(ctx, root, work, root, "-nwk")
	}
	return found, err
}

// askMakeIn reads what make would do. That it fails in the end is no matter, if it
// says something: what it would have made for the rest is not there.
func askMakeIn(ctx context.Context, root, work, dir string, how ...string) ([]command, error) {
	var out strings.Builder
	err := run(ctx, root, work, makeTime, &out, append([]string{"make", "-C", dir}, how...)...)
	found := commandsOf(out.String(), dir)
	if len(found) == 0 && err == nil {
		err = errors.New("make -n names no compiler that is given a C file")
	}
	if len(found) > 0 {
		err = nil
	}
	return found, err
}

func quoted(path string) string { return strings.ReplaceAll(path, "'", `'\''`) }

// run runs a tool of the build, which reads the project and writes klabel's folder
// alone.
func run(ctx context.Context, root, work string, limit time.Duration, out *strings.Builder, argv ...string) error {
	path, err := toolchain.OnPath(argv[0])
	if err != nil {
		return err
	}
	argv[0] = path
	env := slices.DeleteFunc(disk.UserEnvironment(), func(v string) bool {
		return strings.HasPrefix(v, "TMPDIR=") || strings.HasPrefix(v, "LC_ALL=") || strings.HasPrefix(v, "MAKE") ||
			strings.HasPrefix(v, "MFLAGS=")
	})
	c := toolchain.Command{Argv: argv, Dir: work, Timeout: limit, Env: append(env, "LC_ALL=C"),
		Confine: &toolchain.Confinement{Writable: []string{work}, Readable: []string{root}, ScratchMB: 512,
			Family: true}}
	if out != nil {
		c.Stdout = out
	}
	res, err := toolchain.Run(ctx, c)
	var failed *toolchain.ToolError
	if !errors.As(err, &failed) {
		return err
	}
	name := filepath.Base(path)
	if errors.Is(err, toolchain.ErrTimeout) {
		return fmt.Errorf("%s takes longer than %v", name, limit)
	}
	why := cmakeError(string(res.Stderr))
	for _, text := range [][]byte{res.Stderr, res.Stdout} {
		if why == "" {
			why = toolchain.TellingLine(string(text))
		}
	}
	return fmt.Errorf("%s ends with %d: %s", name, failed.ExitCode, why)
}

// cmakeError is CMake's first error: what it says stands below where.
func cmakeError(text string) string {
	_, rest, found := strings.Cut(text, "CMake Error")
	_, rest, _ = strings.Cut(rest, "\n")
	line, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	if !found {
		return ""
	}
	return strings.TrimSpace(line)
}

// readCommands reads a database that a build system has written.
func readCommands(path string) ([]command, error) {
	b, err := disk.Read(path)
	if err != nil {
		return nil, err
	}
	var entries []struct {
		command
		Command string `json:"command"`
	}
	if err := json.Unmarshal(b, &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out []command
	for _, e := range entries {
		if len(e.Arguments) == 0 {
			if e.Arguments, err = toolchain.Words(e.Command); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		if !filepath.IsAbs(e.File) {
			e.File = filepath.Join(e.Directory, e.File)
		}
		out = append(out, e.command)
	}
	return out, nil
}
