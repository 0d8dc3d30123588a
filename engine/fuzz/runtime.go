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

// runtimeIn keeps it in a folder, and takes it from there.
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
	var objects []string
	for _, f := range append([]string{paths.Verifier}, paths.Fuzz...) {
		object := filepath.Join(tmp, strings.TrimSuffix(filepath.Base(f), ".c")+".o")
		objects = append(objects, object)
		g.Go(func() error { return clang.Executable(gctx, []string{f}, object, flags) })
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
	return path, disk.Seal(path, content, "")
}

// runtimeFlags compile what is the runtime's own, which libFuzzer does not trace.
var runtimeFlags = []string{"-c", "-std=c11", "-D_GNU_SOURCE", "-O2", "-fno-pie"}
