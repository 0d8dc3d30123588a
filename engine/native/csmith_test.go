package native

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// checker receives the checksum that a csmith program prints.
const checker = `
extern void klee_report_error(const char *, int, const char *, const char *);
int csmith_printf(const char *f, ...)
{
    __builtin_va_list ap;
    __builtin_va_start(ap, f);
    if (f[0] == 'c' && f[1] == 'h' && __builtin_va_arg(ap, unsigned) != EXPECTED)
        klee_report_error("csmith.c", 1, "wrong checksum", "checksum.err");
    return 0;
}
`

// TestCsmith runs random C programs in the engine, concretely, and natively:
// the checksums must agree. KLABEL_CSMITH sets how many (15; 500 in the nightly
// target) and KLABEL_CSMITH_SEED where to start.
func TestCsmith(t *testing.T) { csmith(t, 15) }

// TestNarrowCsmith is the same with programs of 32 bits.
func TestNarrowCsmith(t *testing.T) {
	needs32(t)
	csmith(t, 4, "-m32")
}

// csmith runs so many programs, compiled with flags, if nobody says another number.
func csmith(t *testing.T, count int, flags ...string) {
	if _, err := exec.LookPath("csmith"); err != nil {
		t.Skip("no csmith")
	}
	headers := "/usr/include/csmith"
	if _, err := os.Stat(filepath.Join(headers, "csmith.h")); err != nil {
		t.Skip("no csmith headers")
	}
	if testing.Short() {
		count = min(count, 4)
	}
	first := 1
	if n, err := strconv.Atoi(os.Getenv("KLABEL_CSMITH")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("KLABEL_CSMITH_SEED")); err == nil {
		first = n
	}
	ran := 0
	for seed := first; ran < count && seed < first+2*count+10; seed++ {
		if csmithRun(t, headers, seed, flags) {
			ran++
		}
	}
	if ran < count {
		t.Errorf("only %d programs ended in time", ran)
	}
}

// csmithRun reports whether the program was of use: it ends natively in time.
func csmithRun(t *testing.T, headers string, seed int, flags []string) bool {
	dir := t.TempDir()
	source, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	generate := exec.Command("csmith", "--seed", fmt.Sprint(seed), "--max-funcs", "6")
	generate.Dir = dir // it leaves a file behind
	text, err := generate.Output()
	if err != nil {
		return false
	}
	if err := os.WriteFile(source, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if msg, err := exec.Command(clang(t).Path, append([]string{"-w", "-O0", "-fwrapv", "-I" + headers, source, "-o",
		bin}, flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("seed %d: %s", seed, msg)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, bin).Output()
	if err != nil {
		return false
	}
	_, sum, ok := strings.Cut(string(out), "checksum = ")
	if !ok {
		t.Fatalf("seed %d prints no checksum: %s", seed, out)
	}
	check := filepath.Join(dir, "check.c")
	if err := os.WriteFile(check, []byte(checker), 0o644); err != nil {
		t.Fatal(err)
	}
	main := compile(t, source, append([]string{"-fwrapv", "-I" + headers, "-Dprintf=csmith_printf"}, flags...)...)
	second := compile(t, check, append([]string{"-DEXPECTED=0x" + strings.TrimSpace(sum) + "u"}, flags...)...)
	res, rep := explore(t, []string{"--link", second}, main)
	switch s := suffixes(t, res); {
	case rep.Completed != 1:
		t.Errorf("seed %d does not end: %q", seed, rep.Notes)
	case len(s) > 0:
		t.Errorf("seed %d: %v %q", seed, s, rep.Notes)
	}
	return true
}
