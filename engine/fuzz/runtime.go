package fuzz

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"klabel/disk"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// runtimeObject is the runtime as one object, the same for every program that has the
// same machine: it is compiled once and kept in the user's cache directory, or, where
// there is none, in dir.
func runtimeObject(ctx context.Context, clang *toolchain.Clang, machine []string, dir string) (string, error) {
	if cache, err := disk.Cache("fuzz"); err == nil {
		path, err := runtimeIn(ctx, clang, machine, cache)
		var compiler *toolchain.ToolError
		if err == nil || ctx.Err() != nil || errors.As(err, &compiler) && !disk.NoRoom(err) {
			return path, err
		}
		disk.WithoutCache(err)
	}
	return runtimeIn(ctx, clang, machine, dir)
}

// runtimeIn keeps it in a folder, and takes it from there. Parts are kept until there is the whole: a short run ends
// before that, and the next goes on.
func runtimeIn(ctx context.Context, clang *toolchain.Clang, machine []string, dir string) (string, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %q %q", clang.Path, clang.Version, runtime_c.Digest(),
		runtimeFlags, machine))
	path := filepath.Join(dir, fmt.Sprintf("%x.o", sum[:12]))
	if disk.Sealed(path, "") {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", fmt.Errorf("a place for the fuzzer's runtime: %w", err)
	}
	defer os.RemoveAll(tmp)
	paths, err := runtime_c.Extract(filepath.Join(tmp, "c"))
	if err != nil {
		return "", err
	}
	flags := append(append([]string{}, runtimeFlags...), machine...)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	var objects, parts []string
	for _, f := range append([]string{paths.Verifier}, paths.Fuzz...) {
		name := strings.TrimSuffix(filepath.Base(f), ".c") + ".o"
		part := strings.TrimSuffix(path, ".o") + "-" + name
		object := filepath.Join(tmp, name)
		objects, parts = append(objects, object), append(parts, part)
		if disk.Sealed(part, "") && os.Link(part, object) == nil { // which another run may take away
			continue
		}
		g.Go(func() error {
			if err := clang.Executable(gctx, []string{f}, object, flags); err != nil {
				return err
			}
			content, err := os.ReadFile(object)
			if err != nil {
				return err
			}
			return disk.Seal(part, content, "")
		})
	}
	if err := g.Wait(); err != nil {
		return "", fmt.Errorf("compiling the fuzzer's runtime: %w", err)
	}
	whole := filepath.Join(tmp, "runtime.o")
	if err := clang.Executable(ctx, objects, whole, append([]string{"-r", "-nostdlib"}, machine...)); err != nil {
		return "", fmt.Errorf("linking the fuzzer's runtime: %w", err)
	}
	content, err := os.ReadFile(whole)
	if err != nil {
		return "", err
	}
	if err := disk.Seal(path, content, ""); err != nil {
		return "", err
	}
	for _, p := range parts {
		_ = os.Remove(p) // another run may be faster
	}
	return path, nil
}

// runtimeFlags compile what is the runtime's own, which libFuzzer does not trace.
var runtimeFlags = []string{"-c", "-std=c11", "-D_GNU_SOURCE", "-O2", "-fno-pie"}
