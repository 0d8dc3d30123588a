package native

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"klabel/disk"
	"klabel/engine/native/ir"
	"klabel/runtime_c/libc"
	"klabel/toolchain"
)

func (im *image) findClang(ctx context.Context) (*toolchain.Clang, error) {
	tools, err := toolchain.Probe(ctx, toolchain.Want{Clang: im.clang})
	if err != nil {
		return nil, err
	}
	return tools.RequireClang()
}

// compileLibc returns a part of the C library for a target.
func (im *image) compileLibc(ctx context.Context, source []byte, target *ir.Target) (string, error) {
	clang, err := im.findClang(ctx)
	if err != nil {
		return "", err
	}
	if target.PtrBits == 32 {
		return compiled(ctx, clang, source, libc.Narrow)
	}
	return compiled(ctx, clang, source)
}

// Libc returns the C library that programs are linked with, as LLVM IR. It is
// compiled once for a clang version and kept in the user's cache directory (in
// the temporary directory where there is none).
func Libc(ctx context.Context, clang *toolchain.Clang) (string, error) {
	return compiled(ctx, clang, libc.Source())
}

func compiled(ctx context.Context, clang *toolchain.Clang, source []byte, flags ...string) (string, error) {
	if dir, err := disk.Cache("libc"); err == nil {
		path, err := compiledIn(ctx, clang, source, dir, flags...)
		var compiler *toolchain.ToolError
		if err == nil || ctx.Err() != nil || errors.As(err, &compiler) && !disk.NoRoom(err) {
			return path, err
		}
		disk.WithoutCache(err)
	}
	dir, err := os.MkdirTemp("", "klabel-libc-")
	if err != nil {
		return "", fmt.Errorf("a place for the C library: %w", err)
	}
	return compiledIn(ctx, clang, source, dir, flags...)
}

// compiledIn keeps the library in a folder, and takes it from there.
func compiledIn(ctx context.Context, clang *toolchain.Clang, source []byte, dir string, flags ...string) (string,
	error) {
	with := fmt.Sprintf("%s %d %s %q\n", clang.Path, clang.Major, Version, flags)
	sum := sha256.Sum256(append([]byte(with), source...))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("%x.ll", sum[:12]))
	if known(path) {
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
	if err := clang.IR(ctx, c, ll, append(flags, libc.Flags...)); err != nil {
		return "", fmt.Errorf("compiling the C library: %w", err)
	}
	text, err := os.ReadFile(ll)
	if err == nil {
		err = disk.Seal(path, text, comment)
	}
	return path, err
}

// seen are files that were found to be whole, as they were then: each slice of a campaign
// asks for the same one, and to sum it up takes longer than to begin the slice.
var seen sync.Map

// version is what tells a file from the one that was there before.
type version struct {
	size int64
	at   time.Time
}

// known reports whether a library is there, and whole.
func known(path string) bool {
	fi, err := os.Stat(path)
	if err != nil {
		return false
	}
	now := version{fi.Size(), fi.ModTime()}
	if was, ok := seen.Load(path); ok && was == now {
		return true
	}
	whole := disk.Sealed(path, comment)
	if whole {
		seen.Store(path, now)
	}
	return whole
}

// comment begins one of LLVM's.
const comment = "; "
