package replayer

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"klabel/ktest"
	"klabel/label"
)

const posixProgram = `
#include <sys/stat.h>
int main(int argc, char **argv)
{
    struct stat st;
    char line[16] = "";
    FILE *f;
    if (strcmp(argv[0], "p.bc") == 0) klabel_hit(0);
    if (argc == 5 && argv[5] == NULL) klabel_hit(1);
    if (argc > 1 && strcmp(argv[1], "-v") == 0) klabel_hit(2);
    if (argc > 2 && strcmp(argv[2], "ab") == 0) klabel_hit(3);
    if (argc > 3 && strcmp(argv[3], "cde") == 0) klabel_hit(4);
    if (argc > 4 && strcmp(argv[4], "") == 0) klabel_hit(5);
    if (fgets(line, sizeof line, stdin) && strcmp(line, "hello") == 0 && feof(stdin)) klabel_hit(6);
    if ((f = fopen("A", "r")) != NULL && fread(line, 1, 16, f) == 4 && memcmp(line, "data", 4) == 0) klabel_hit(7);
    if (stat("A", &st) == 0 && (st.st_mode & 0777) == 0640) klabel_hit(8);
    if (stat("B", &st) == 0 && S_ISDIR(st.st_mode)) klabel_hit(9);
    if (access("C", F_OK) != 0) klabel_hit(10);
    if (klee_int("x") == 11) klabel_hit(11);
    if (argc == 1) klabel_hit(12);
    return 0;
}`

// status is a struct stat of x86-64 and most other 64-bit Linux systems, with
// nothing but a mode.
func status(mode uint32) []byte {
	b := make([]byte, 144)
	binary.LittleEndian.PutUint32(b[24:], mode)
	return b
}

func TestPosix(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, posixProgram, true)})
	data := func(name, text string) ktest.Object { return ktest.Object{Name: name, Data: []byte(text)} }
	for _, c := range []struct {
		name string
		test ktest.Test
		hits []label.ID
	}{
		{"KLEE 3", ktest.Test{
			Args: []string{"p.bc", "-v", "--sym-arg", "2", "--sym-args", "1", "3", "3", "--sym-files", "2", "4",
				"--sym-stdin", "5", "--sym-stdout"},
			Objects: []ktest.Object{
				data("arg00", "ab\xff"), i32("n_args", 2), data("arg01", "cdef"), data("arg02", "\x00xyz"),
				data("A_data", "data"), {Name: "A_data_stat", Data: status(0o100640)},
				data("B_data", "none"), {Name: "B_data_stat", Data: status(0o40755)},
				data("stdin", "hello"), {Name: "stdin_stat", Data: status(0)},
				data("stdout", "?"), i32("model_version", 1), i32("x", 11),
			},
		}, []label.ID{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{"older names", ktest.Test{
			Args: []string{"p.bc", "-sym-files", "1", "4", "-sym-stdin", "5"},
			Objects: []ktest.Object{
				data("A-data", "data"), {Name: "A-data-stat", Data: status(0o100640)}, data("stdin", "hello"),
				data("stdin-stat", ""),
			},
		}, []label.ID{0, 6, 7, 8, 10, 12}},
		{"as many arguments as must be", ktest.Test{
			Args:    []string{"p.bc", "-v", "--sym-args", "2", "2", "3", "end"},
			Objects: []ktest.Object{data("arg00", "ab\x00x"), data("arg01", "cde\x01")},
		}, []label.ID{0, 1, 2, 3, 4, 10}},
		{"an input that klabel shortened", ktest.Test{
			Args:    []string{"p.bc", "--sym-stdin", "8"},
			Objects: []ktest.Object{data("stdin", "hello999"), data("stdin_stat", ""), i32("stdin_size", 5)},
		}, []label.ID{0, 6, 10, 12}},
		{"plain arguments", ktest.Test{
			Args: []string{"p.bc", "-v", "ab"}, Objects: []ktest.Object{data("stdin", "hello")},
		}, []label.ID{0, 2, 3, 10}},
	} {
		v, err := p.Replay(t.Context(), 0, &c.test)
		if err != nil || v.Outcome != label.Normal || !slices.Equal(v.Hits, c.hits) {
			t.Errorf("%s: %+v, %v; want hits %v", c.name, v, err, c.hits)
		}
	}
	v, err := p.Replay(t.Context(), 0, &ktest.Test{Args: []string{"p.bc", "--sym-arg", "many"}})
	if err != nil || v.Outcome != label.Diverged {
		t.Errorf("arguments that KLEE refuses: %+v, %v", v, err)
	}
}

// What the POSIX runtime makes stays in front, in the order in which it makes it:
// KLEE's own tools take objects one after another.
func TestComplete(t *testing.T) {
	test := func(args []string, names ...string) *ktest.Test {
		x := &ktest.Test{Args: args}
		for _, n := range names {
			x.Objects = append(x.Objects, i32(n, 1))
		}
		return x
	}
	asked := func(names ...string) (out []Asked) {
		for _, n := range names {
			out = append(out, Asked{Name: n, Data: []byte{2}})
		}
		return out
	}
	sym := []string{"p", "--sym-args", "0", "1", "2"}
	for _, c := range []struct {
		name  string
		test  *ktest.Test
		asked []Asked
		want  []string
	}{
		{"of an engine", test(sym, "n_args", "arg00", "A_data", "A_data_stat", "stdin", "stdin_stat", "nondet_3", "x"),
			asked("n_args", "arg00", "x", "y"),
			[]string{"n_args", "arg00", "A_data", "A_data_stat", "stdin", "stdin_stat", "x", "y"}},
		{"several lists of arguments", test(sym, "n_args", "arg00", "n_args", "arg01"),
			asked("n_args", "arg00", "n_args", "arg01"), []string{"n_args", "arg00", "n_args", "arg01"}},
		{"drawn", test(sym), asked("n_args", "arg00", "stdin", "stdin_stat", "x"),
			[]string{"n_args", "arg00", "stdin", "stdin_stat", "x"}},
		{"a program's own names", test([]string{"p"}, "x", "arg00"), asked("x", "arg00"), []string{"x", "arg00"}},
		{"nothing was noted", test(sym, "arg00", "x"), nil, []string{"arg00", "x"}},
	} {
		var got []string
		for _, o := range Complete(c.test, c.asked).Objects {
			got = append(got, o.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestStarved holds runs that read on and on where there is nothing to read to a short
// time, and to the place up to which they read; thousands of reads that end are none.
func TestStarved(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, `
int main(void)
{
    static int a[20000];
    int n = 0, i;
    klabel_hit(0);
    if (getchar() == 'a')
        for (i = 0; i < 20000; i++) scanf("%d", &a[i]);
    else
        while (n != 7) scanf("%d", &n);
    klabel_hit(1);
    return 0;
}`, true), TestTimeout: time.Minute})
	for _, c := range []struct {
		input   string
		starved bool
		read    int
	}{{"1 3 7", false, 0}, {"1 3", true, 3}, {"1 3 x 7", true, 4}, {"a 5", false, 0}} {
		v, err := p.Replay(t.Context(), 0, &ktest.Test{Args: []string{"p", "--sym-stdin", fmt.Sprint(len(c.input))},
			Objects: []ktest.Object{{Name: "stdin", Data: []byte(c.input)}, {Name: "stdin_stat", Data: status(0)}}})
		if err != nil || Starved(v) != c.starved || v.ReadTo != c.read || (v.Outcome == label.Normal) == c.starved {
			t.Errorf("%q: %+v, %v; want starved %v behind %d", c.input, v, err, c.starved, c.read)
		}
	}
}
