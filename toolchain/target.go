package toolchain

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// Target is the machine that C is compiled for, as clang itself says. The zero value
// is the machine that klabel runs on.
type Target struct {
	Machine string // "x86_64", "i386", "arm", ...; "another machine" where klabel knows no name
	Bits    int    // of a pointer
	Linux   bool
}

// Host is the target of the machine that klabel runs on, as clang has it by itself.
var Host = Target{Machine: machineNames[runtime.GOARCH], Bits: 32 << (^uint(0) >> 63), Linux: true}

// machineNames are the names that compilers have for Go's architectures.
var machineNames = map[string]string{"amd64": "x86_64", "386": "i386", "arm64": "aarch64", "arm": "arm",
	"riscv64": "riscv64", "s390x": "s390x", "ppc64le": "powerpc64", "loong64": "loongarch64"}

// GOARCH is Go's name of the machine, "" where it has none.
func (t Target) GOARCH() string {
	for arch, name := range machineNames {
		if name == t.Machine {
			return arch
		}
	}
	return ""
}

// Narrow reports a program of 32 bits.
func (t Target) Narrow() bool { return t.Bits == 32 }

// Runs reports whether programs of the target can be run here: those of this machine
// and, on x86-64, those of i386 (-m32).
func (t Target) Runs() bool {
	return t == Host || Host.Machine == "x86_64" && t == Target{Machine: "i386", Bits: 32, Linux: true}
}

func (t Target) String() string {
	s := fmt.Sprintf("%s with pointers of %d bits", t.Machine, t.Bits)
	if !t.Linux {
		s += ", not on Linux"
	}
	return s
}

// targets are the answers that clang has given, by its path and the flags.
var targets sync.Map

var (
	macroLine  = regexp.MustCompile(`(?m)^#define (\w+) (\w+)$`)
	macroNames = regexp.MustCompile(`^__(x86_64|i386|aarch64|arm|riscv|s390x|powerpc64|loongarch)(?:__)?$`)
)

// Target asks clang what it compiles for with these flags: the macros that it defines
// by itself say it.
func (c *Clang) Target(ctx context.Context, flags Flags) (Target, error) {
	language := flags.Language()
	key := c.Path + "\x00" + strings.Join(language, "\x00")
	if t, ok := targets.Load(key); ok {
		return t.(Target), nil
	}
	argv := append(append([]string{c.Path, "-E", "-dM", "-x", "c"}, language...), "/dev/null", "-o", "-")
	r, err := asked(argv, func() (Result, error) { return c.run(ctx, argv, nil) })
	if err != nil {
		return Target{}, err
	}
	t := Target{Machine: "another machine"}
	for _, m := range macroLine.FindAllStringSubmatch(string(r.Stdout), -1) {
		if name := macroNames.FindStringSubmatch(m[1]); name != nil {
			t.Machine = name[1]
		}
		switch m[1] {
		case "__SIZEOF_POINTER__":
			_, err = fmt.Sscan(m[2], &t.Bits)
			t.Bits *= 8
		case "__linux__":
			t.Linux = true
		}
	}
	if err != nil || t.Bits == 0 {
		return Target{}, fmt.Errorf("%s does not say how many bits a pointer has", c.Path)
	}
	if t.Machine == "riscv" || t.Machine == "loongarch" {
		t.Machine += fmt.Sprint(t.Bits)
	}
	targets.Store(key, t)
	return t, nil
}
