package toolchain

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"klabel/fault"
)

// narrowTried are the answers about programs of 32 bits, by what was tried with which clang.
var narrowTried sync.Map

// hint32 is what brings the C library of 32-bit programs.
const (
	hint32    = "what 32-bit programs are linked with is missing: " + install32
	install32 = "sudo apt-get install gcc-multilib"
)

// Runs32 says why programs of 32 bits cannot be compiled and run here; nil if they can.
func (c *Clang) Runs32(ctx context.Context) error {
	return c.try32(ctx, "#include <stdlib.h>\nint main(void) { return abs(0); }\n", func(program string) error {
		_, err := Run(ctx, Command{Argv: []string{program}, Timeout: compileTimeout})
		return err
	}, hint32)
}

// Fuzzes32 says why libFuzzer cannot run programs of 32 bits; nil if it can.
func (c *Clang) Fuzzes32(ctx context.Context) error {
	return c.try32(ctx, "int LLVMFuzzerTestOneInput(const char *p, unsigned n) { return p && n > 9; }\n", nil,
		"it needs the C++ library of 32-bit programs, too: sudo apt-get install g++-multilib", "-fsanitize=fuzzer")
}

// try32 compiles a program of 32 bits, once, and lets run do what it wants with it.
func (c *Clang) try32(ctx context.Context, text string, run func(program string) error, hint string,
	flags ...string) error {
	key := fmt.Sprint(c.Path, flags)
	if err, ok := narrowTried.Load(key); ok {
		err, _ := err.(error)
		return err
	}
	dir, err := os.MkdirTemp("", "klabel-m32-")
	if err != nil {
		return fmt.Errorf("a place to try 32 bits: %w", err)
	}
	defer os.RemoveAll(dir)
	source, out := filepath.Join(dir, "m.c"), filepath.Join(dir, "m")
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		return err
	}
	if err = c.Executable(ctx, []string{source}, out, append([]string{"-m32"}, flags...)); err != nil {
		err = fault.WithHint(fmt.Errorf("programs of 32 bits cannot be compiled here: %w", err), "%s", hint)
	} else if run != nil {
		if err = run(out); err != nil {
			err = fmt.Errorf("programs of 32 bits do not run here: %w", err)
		}
	}
	if ctx.Err() == nil {
		narrowTried.Store(key, err)
	}
	return err
}
