package toolchain

import (
	"strings"
	"testing"
)

// What a file is compiled for clang says of its flags, whatever they are called.
func TestTarget(t *testing.T) {
	tools, err := Probe(t.Context(), Want{})
	if err != nil {
		t.Fatal(err)
	}
	clang, err := tools.RequireClang()
	if err != nil {
		t.Skip(err)
	}
	if Host.Machine != "x86_64" {
		t.Skip("SKIPPED: the flags below are those of x86-64")
	}
	for given, want := range map[string]string{"": "x86_64 64 runs", "-std=c99 -DX=-m32": "x86_64 64 runs",
		"-D -m32": "x86_64 64 runs", "-m32": "i386 32 runs", "-m32 -m64": "x86_64 64 runs",
		"--target=i686-linux-gnu": "i386 32 runs", "-mx32": "x86_64 32 no", "--target=i686-windows-msvc": "i386 32 no",
		"-target arm-linux-gnueabi": "arm 32 no", "--target=aarch64-linux-gnu": "aarch64 64 no",
		"--target=riscv64-linux-gnu": "riscv64 64 no"} {
		got, err := clang.Target(t.Context(), strings.Fields(given))
		if err != nil {
			t.Errorf("%s: %v", given, err)
			continue
		}
		f := strings.Fields(want)
		bits := map[string]int{"32": 32, "64": 64}[f[1]]
		if got.Machine != f[0] || got.Bits != bits || got.Runs() != (f[2] == "runs") {
			t.Errorf("%s: %+v, runs %v, want %s", given, got, got.Runs(), want)
		}
	}
	if _, err := clang.Target(t.Context(), Flags{"--no-such-option"}); err == nil {
		t.Error("flags that clang refuses have a target")
	}
}
