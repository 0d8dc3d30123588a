package native

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"klabel/runtime_c/libc"
	"klabel/toolchain"
)

func (s *settings) findClang(ctx context.Context) (*toolchain.Clang, error) {
	tools, err := toolchain.Probe(ctx, toolchain.Want{Clang: s.clang})
	if err != nil {
		return nil, err
	}
	return tools.RequireClang()
}

func (s *settings) compileLibc(ctx context.Context) (string, error) {
	clang, err := s.findClang(ctx)
	if err != nil {
		return "", err
	}
	return Libc(ctx, clang)
}

// Libc returns the C library that programs are linked with, as LLVM IR. It is
// compiled once for a clang version and kept in the user's cache directory (in
// the temporary directory where there is none).
func Libc(ctx context.Context, clang *toolchain.Clang) (string, error) {
	source := libc.Source()
	sum := sha256.Sum256(append([]byte(fmt.Sprintf("%s %d %s\n", clang.Path, clang.Major, Version)), source...))
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	dir := filepath.Join(base, "klabel", "libc")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		if dir, err = os.MkdirTemp("", "klabel-libc-"); err != nil {
			return "", fmt.Errorf("a place for the C library: %w", err)
		}
	}
	path := filepath.Join(dir, fmt.Sprintf("%x.ll", sum[:12]))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	tmp, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", fmt.Errorf("a place for the C library: %w", err)
	}
	defer os.RemoveAll(tmp)
	c, ll := filepath.Join(tmp, "libc.c"), filepath.Join(tmp, "libc.ll")
	if err := os.WriteFile(c, source, 0o644); err != nil {
		return "", err
	}
	if err := clang.IR(ctx, c, ll, libc.Flags); err != nil {
		return "", fmt.Errorf("compiling the C library: %w", err)
	}
	if err := os.Rename(ll, path); err != nil {
		return "", err
	}
	return path, nil
}
