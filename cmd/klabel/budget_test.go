package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program that the fuzzer's compiler takes long for when it optimises is compiled
// without, so that a short budget has an engine, too.
func TestCompilingObeysTheBudget(t *testing.T) {
	needClang(t)
	dir := t.TempDir()
	var c strings.Builder
	c.WriteString("int f(int x)\n{\n    volatile int r = 0;\n")
	for k := range 8 {
		fmt.Fprintf(&c, "#pragma clang loop unroll(full)\n    for (int i = 0; i < 3000; i++)\n"+
			"        if (x == i * %d) r += i;\n", 7+k)
	}
	c.WriteString("    if (x > 3) r++;\n    return r;\n}\n")
	file, out := filepath.Join(dir, "f.c"), filepath.Join(dir, "out")
	if err := os.WriteFile(file, []byte(c.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd, stdout, stderr := klabelCmd("run", file, "--function", "f", "--criteria", "CC", "--engine", "fuzz", "-o", out,
		"--budget", "1s", "--style", "none")
	err := cmd.Run()
	if err != nil || strings.Contains(stderr.String(), "no engine was started") ||
		!strings.Contains(stdout.String(), "engine     fuzz") {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	covered := 0
	for _, s := range statuses(t, out) {
		if s == "covered" {
			covered++
		}
	}
	if covered == 0 {
		t.Errorf("nothing is covered: %s%s", stdout, stderr)
	}
}
