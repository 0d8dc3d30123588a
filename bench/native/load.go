package main

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"klabel/engine/native"
	"klabel/engine/native/code"
	"klabel/engine/native/exec"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/toolchain"
)

var findClang = sync.OnceValues(func() (*toolchain.Clang, error) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		return nil, err
	}
	return tools.RequireClang()
})

// load compiles a program and links it with the engine's C library.
func load(ctx context.Context, file string, flags ...string) (*code.Program, error) {
	clang, err := findClang()
	if err != nil {
		return nil, err
	}
	libc, err := native.Libc(ctx, clang)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "klabel-states-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	text := filepath.Join(dir, "program.ll")
	flags = append([]string{"-I" + filepath.Join("runtime_c", "include")}, flags...)
	if err := clang.IR(ctx, file, text, flags); err != nil {
		return nil, err
	}
	var mods []*ir.Module
	for _, path := range []string{text, libc} {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		m, err := ir.Parse(path, b)
		if err != nil {
			return nil, err
		}
		mods = append(mods, m)
	}
	link, err := ir.Link(mods[:1], mods[1:])
	if err != nil {
		return nil, err
	}
	return code.Load(link, expr.NewBuilder(), map[*ir.Module]bool{mods[1]: true}, exec.Knows)
}
