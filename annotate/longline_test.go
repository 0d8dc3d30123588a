package annotate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program on one line, as generators write them, costs what it costs on many: the
// work is counted in processor time, of which each has as much, however busy the
// machine is. With work of the square of the line's length it is thirty times as much.
func TestLongLine(t *testing.T) {
	const ifs = 16000
	cost := func(separator string) time.Duration {
		t.Helper()
		var b strings.Builder
		b.WriteString("int f(int x) { int r = 0;" + separator)
		for i := range ifs {
			fmt.Fprintf(&b, "if (x > %d) r++;%s", i, separator)
		}
		b.WriteString("return r; }\n")
		path := filepath.Join(t.TempDir(), "long.c")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		begin := processorTime(t)
		l := justLabel(t, path, Options{Criteria: []string{"DC"}})
		took := processorTime(t) - begin
		if len(l.Labels) != 2*ifs {
			t.Errorf("%d labels, want %d", len(l.Labels), 2*ifs)
		}
		return took
	}
	cost("\n") // what is done once
	many, one := cost("\n"), cost(" ")
	t.Logf("many lines: %v, one: %v", many, one)
	if one > 6*many {
		t.Errorf("on one line it takes %v, on many %v", one, many)
	}
}

// processorTime is what this process has used so far.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
