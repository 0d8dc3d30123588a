package native

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/ktest"
)

// TestSymbolicArguments checks that --sym-args and --sym-stdin make the objects
// that KLEE's POSIX runtime makes, and that the program sees them.
func TestSymbolicArguments(t *testing.T) {
	source := filepath.Join(t.TempDir(), "args.c")
	text := `#include <stdio.h>
#include <string.h>
void klee_report_error(const char *, int, const char *, const char *);
int main(int argc, char **argv)
{
    char line[8];
    if (argc == 3 && !strcmp(argv[1], "-x") && argv[2][0] == 'q' && fgets(line, 8, stdin) && !strcmp(line, "hi\n"))
        klee_report_error("args.c", 1, "all there", "good.err");
    return 0;
}
`
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, rep := explore(t, nil, compile(t, source), "--sym-args", "1", "2", "3", "--sym-stdin", "4")
	// There are arguments and inputs of other lengths, and nothing else was left out.
	want := []string{"other arguments than those given were not tried", "standard input of other lengths was not tried"}
	if rep.Complete || !slices.Equal(rep.Notes, want) {
		t.Errorf("complete: %v; notes %q, want %q", rep.Complete, rep.Notes, want)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.good.err"))
	if err != nil || len(found) != 1 {
		t.Fatal("the inputs are not found", err)
	}
	k, err := ktest.ReadFile(found[0][:len(found[0])-len("good.err")] + "ktest")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range k.Objects {
		names = append(names, o.Name)
	}
	want = []string{"n_args", "arg00", "arg01", "stdin", "stdin_stat"}
	for i, w := range want {
		if i >= len(names) || names[i] != w {
			t.Fatalf("objects %v, want %v", names, want)
		}
	}
	if string(k.Objects[1].Data[:3]) != "-x\x00" || string(k.Objects[3].Data[:3]) != "hi\n" {
		t.Errorf("arg00 %q, stdin %q", k.Objects[1].Data, k.Objects[3].Data)
	}
}

// TestSymbolicFiles: a program that opens A reads what --sym-files made.
func TestSymbolicFiles(t *testing.T) {
	source := filepath.Join(t.TempDir(), "files.c")
	text := `#include <stdio.h>
#include <string.h>
void klee_report_error(const char *, int, const char *, const char *);
int main(int argc, char **argv)
{
    char line[8], other[4];
    FILE *a = fopen(argv[1], "r"), *b = fopen("B", "rb");
    if (!a || !b || fopen("C", "r"))
        klee_report_error("files.c", 1, "not there", "bad.err");
    if (fgets(line, 8, a) && !strcmp(line, "hi\n") && fread(other, 1, 4, b) == 4 && !memcmp(other, "\x7f""ELF", 4))
        klee_report_error("files.c", 2, "all there", "good.err");
    return 0;
}
`
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, _ := explore(t, nil, compile(t, source), "A", "--sym-files", "2", "4")
	found, _ := filepath.Glob(filepath.Join(dir, "*.good.err"))
	bad, _ := filepath.Glob(filepath.Join(dir, "*.bad.err"))
	if len(found) != 1 || len(bad) > 0 {
		t.Fatalf("found %q, bad %q", found, bad)
	}
	k, err := ktest.ReadFile(found[0][:len(found[0])-len("good.err")] + "ktest")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"A_data", "A_data_stat", "B_data", "B_data_stat"} {
		if k.Objects[i].Name != name {
			t.Errorf("object %d is %s, want %s", i, k.Objects[i].Name, name)
		}
	}
	if string(k.Objects[0].Data[:3]) != "hi\n" || string(k.Objects[2].Data) != "\x7fELF" {
		t.Errorf("A %q, B %q", k.Objects[0].Data, k.Objects[2].Data)
	}
}

// TestFileDescriptors: such a file can be opened by open as well, read in parts,
// sought and closed, as its stream can; there is no other file.
func TestFileDescriptors(t *testing.T) {
	source := filepath.Join(t.TempDir(), "descriptors.c")
	text := `#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
void klee_report_error(const char *, int, const char *, const char *);
#define WANT(c) if (!(c)) klee_report_error("descriptors.c", __LINE__, #c, "bad.err")
int main(void)
{
    char head[3] = "", last[8];
    int a = open("A", O_RDONLY), again;
    FILE *f;
    WANT(a >= 0 && open("B", O_RDONLY) < 0 && read(a + 1, last, 1) < 0);
    WANT(open(NULL, O_RDONLY) < 0 && errno == EFAULT && !fopen(NULL, "r"));
    WANT(read(a, head, 2) == 2 && lseek(a, 0, SEEK_CUR) == 2 && lseek(a, -1, SEEK_SET) == -1);
    WANT(lseek(a, -3, SEEK_END) == 1 && read(a, last, 8) == 3 && read(a, last + 3, 8) == 0);
    again = open("A", O_RDONLY);
    WANT(again != a && lseek(again, 0, SEEK_END) == 4 && pread(again, last + 3, 1, 0) == 1);
    WANT(close(again) == 0 && close(again) == -1);
    lseek(a, 3, SEEK_SET);
    f = fdopen(a, "r");
    WANT(f && fgetc(f) == (unsigned char)last[2] && fgetc(f) == EOF && feof(f));
    WANT(last[3] == head[0] && last[0] == head[1]);
    if (!memcmp(head, "P6", 2) && !memcmp(last, "6 9", 3))
        klee_report_error("descriptors.c", 2, "all there", "good.err");
    return 0;
}
`
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, rep := explore(t, nil, compile(t, source), "--sym-files", "1", "4")
	if got := suffixes(t, dir); !slices.Equal(got, []string{"good.err"}) {
		bad, _ := filepath.Glob(filepath.Join(dir, "*.bad.err"))
		for _, f := range bad {
			t.Error(firstLine(t, f))
		}
		t.Errorf("errors %q, notes %q", got, rep.Notes)
	}
}

// TestStarved: a path that asks for ever at the end of its input is left, which is
// said, and nothing is infeasible by that.
func TestStarved(t *testing.T) {
	program := writeC(t, `
#include <klee/klee.h>
#include <stdio.h>
int covered(unsigned), klabel_wants(unsigned);
void klabel_label(unsigned, int);
#define L(c, id) if (klabel_wants(id)) klabel_label(id, c);
int main(void) {
    int choice = -1, asked = 0;
    while (choice != 0 && asked < 5000) {
        asked++;
        scanf("%d", &choice);
        L(choice == 7, 1)
    }
    L(asked == 2, 2)
    L(asked == 5000, 3)
    return 0;
}`)
	dir, rep := explore(t, []string{"--greybox", "--max-time=120"}, program, "--sym-stdin-upto", "4")
	covered := coveredLabels(t, dir)
	if rep.Complete || covered["1"] == "" || covered["2"] == "" || slices.Contains(rep.Infeasible, 3) {
		t.Errorf("complete %v, covered %v, infeasible %v", rep.Complete, covered, rep.Infeasible)
	}
	if !slices.Contains(rep.Notes, "the program reads on at the end of its input") ||
		slices.ContainsFunc(rep.Notes, func(n string) bool { return strings.Contains(n, "time limit") }) {
		t.Errorf("%q", rep.Notes)
	}
}

// TestFolder: what a program does to files in its folder goes natively as in the
// engine: it finds no difference itself. The structures of 32 bits are two more.
func TestFolder(t *testing.T) {
	for name, flags := range map[string][]string{"64": nil, "32": {"-m32"},
		"64, large files": {"-D_FILE_OFFSET_BITS=64"}, "32, large files": {"-m32", "-D_FILE_OFFSET_BITS=64"}} {
		t.Run(name, func(t *testing.T) {
			if slices.Contains(flags, "-m32") {
				needs32(t)
			}
			inFolder(t, flags)
		})
	}
}

func inFolder(t *testing.T, flags []string) {
	const source = "testdata/files.c"
	dir := t.TempDir()
	bin := filepath.Join(dir, "files")
	made := exec.Command(clang(t).Path, append(slices.Clone(flags), "-w", "-DNATIVE", source, "-o", bin)...)
	if msg, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%s", msg)
	}
	cmd := exec.Command(bin)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("natively: %v %s", err, out)
	}
	res, rep := explore(t, nil, compile(t, source, flags...))
	if got := suffixes(t, res); rep.Completed != 1 || len(got) > 0 {
		bad, _ := filepath.Glob(filepath.Join(res, "*.bad.err"))
		for _, f := range bad {
			t.Error(firstLine(t, f))
		}
		t.Errorf("%d paths, errors %q, notes %q", rep.Completed, got, rep.Notes)
	}
	if rep.Complete {
		t.Error("other files than the test's do not count")
	}
}

// TestFailingCalls: with --max-fail the calls fail that KLEE's objects name.
func TestFailingCalls(t *testing.T) {
	source := filepath.Join(t.TempDir(), "failing.c")
	text := `#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
void klee_report_error(const char *, int, const char *, const char *);
int main(void)
{
    char b[4];
    int fd = open("A", O_RDONLY);
    if (read(77, b, 1) != -1 || errno != EBADF) klee_report_error("failing.c", 1, "EBADF", "bad.err");
    if (read(fd, b, 2) < 0) klee_report_error("failing.c", 2, "read", errno == EIO ? "read.err" : "bad.err");
    if (close(fd) < 0) {
        if (close(fd) < 0) klee_report_error("failing.c", 3, "twice", "bad.err");
        klee_report_error("failing.c", 4, "close", errno == EIO ? "close.err" : "bad.err");
    }
    return 0;
}
`
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, _ := explore(t, nil, compile(t, source), "--sym-files", "1", "4", "--max-fail", "1")
	if got := suffixes(t, dir); !slices.Equal(got, []string{"close.err", "read.err"}) {
		t.Fatalf("errors %q", got)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.read.err"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	k, err := ktest.ReadFile(found[0][:len(found[0])-len("read.err")] + "ktest")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range k.Objects { // the second read: the first one is of no open file
		if o.Name == "read_fail" && !slices.Equal(o.Data, []byte{2, 0, 0, 0}) {
			t.Errorf("%s is %v", o.Name, o.Data)
		}
	}
}
