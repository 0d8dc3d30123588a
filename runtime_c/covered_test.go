package runtime_c

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"klabel/liveview"
)

// viewFile writes a live view with the given statuses.
func viewFile(t testing.TB, count uint32, statuses []byte) string {
	t.Helper()
	b := liveview.File(statuses)[:liveview.Header]
	binary.LittleEndian.PutUint32(b[12:], count) // some lie
	f := filepath.Join(t.TempDir(), "view")
	if err := os.WriteFile(f, append(b, statuses...), 0o644); err != nil {
		t.Fatal(err)
	}
	return f
}

// library builds covered.c as a run does, and a program that asks it.
func library(t testing.TB) (lib, program string) {
	t.Helper()
	cc, p, dir := clang(t), extract(t), t.TempDir()
	lib, program = filepath.Join(dir, "libcovered.so"), filepath.Join(dir, "ask")
	run(t, nil, cc, "-shared", "-fPIC", "-O2", p.Covered, "-o", lib)
	source := filepath.Join(dir, "ask.c")
	if err := os.WriteFile(source, []byte(ask), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, nil, cc, "-O1", "-I"+p.Include, source, lib, "-o", program)
	return lib, program
}

const ask = `
#include <klabel/view.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int argc, char **argv)
{
    unsigned char copy[8];
    int i, n = 0;
    if (argc > 1 && strcmp(argv[1], "time") == 0) {
        struct timespec a, b;
        const int calls = 20000000;
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (i = 0; i < calls; i++) n += covered(i & 7);
        clock_gettime(CLOCK_MONOTONIC, &b);
        printf("%.3f", ((b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / calls);
        return n == 1;
    }
    for (i = 1; i < argc; i++) pending(atoi(argv[i]));
    for (i = -2; i < 8; i++) printf("%d", covered(i));
    printf("%d%d ", covered(INT_MAX), covered(INT_MIN));
    memset(copy, 9, sizeof copy);
    klabel_view_copy(copy, 2, 6);
    for (i = 0; i < 8; i++) printf("%d", copy[i]);
    memset(copy, 9, sizeof copy);
    klabel_view_copy(copy, -1, 2);
    klabel_view_copy(copy + 4, 100, 2);
    klabel_view_copy(copy, 0, -5);
    printf(" ");
    for (i = 0; i < 8; i++) printf("%d", copy[i]);
    nop();
    return 0;
}`

func TestCovered(t *testing.T) {
	_, program := library(t)
	statuses := []byte{0, 1, 2, 3, 4, 0}
	const none = "000000000000 00000099 00990099"
	view := viewFile(t, 6, statuses)
	short := viewFile(t, 1000, statuses) // says more than it holds
	garbage := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(garbage, bytes.Repeat([]byte("x"), 200), 0o644); err != nil {
		t.Fatal(err)
	}
	readOnly := viewFile(t, 6, statuses)
	if err := os.Chmod(readOnly, 0o444); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, want string }{
		{"view", view, "000111100000 23400099 00990099"},
		{"count beyond the file", short, "000111100000 23400099 00990099"},
		{"read-only", readOnly, "000111100000 23400099 00990099"},
		{"missing", filepath.Join(t.TempDir(), "none"), none},
		{"not named", "", none},
		{"a folder", t.TempDir(), none},
		{"garbage", garbage, none},
	} {
		if got := run(t, []string{"KLABEL_VIEW=" + c.path}, program); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}

	// pending turns unknown into pending, and nothing else.
	got := run(t, []string{"KLABEL_VIEW=" + view}, program, "0", "1", "5", "6", "-1", "2000000000")
	if want := "001111110000 23420099 00990099"; got != want {
		t.Errorf("after pending: %q, want %q", got, want)
	}
	b, err := os.ReadFile(view)
	if err != nil || !bytes.Equal(b[64:], []byte{2, 1, 2, 3, 4, 2}) {
		t.Errorf("the file holds %v, %v", b[64:], err)
	}
	if got := run(t, []string{"KLABEL_VIEW=" + filepath.Join(t.TempDir(), "none")}, program, "0"); got != none {
		t.Errorf("pending without a view: %q", got)
	}
}

// BenchmarkCovered reports what a call costs a native program.
func BenchmarkCovered(b *testing.B) {
	_, program := library(b)
	view := viewFile(b, 8, []byte{0, 1, 0, 0, 0, 0, 0, 1})
	best := 1e9
	for range b.N {
		out := run(b, []string{"KLABEL_VIEW=" + view}, program, "time")
		ns, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
		if err != nil {
			b.Fatal(err)
		}
		best = min(best, ns)
	}
	b.ReportMetric(best, "ns/call")
}
