package native

import (
	"os"
	"path/filepath"
	"slices"
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
	text := `#include <fcntl.h>
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
