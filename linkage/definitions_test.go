package linkage

import (
	"slices"
	"strings"
	"testing"

	"klabel/csource"
)

// TestShared: what units define by the same name is each one's own, but for a variable that a header defines without a
// first value, which is one for all of them where the linker is told so.
func TestShared(t *testing.T) {
	load := loader(t)
	const common = "# 1 \"common.h\"\nint counter;\nint limit = 3;\nint twice(int x) { return 2 * x; }\n"
	units := []*csource.Unit{
		load(common + "# 1 \"a.c\"\nint a(int x) { return x > counter; }\n"),
		load(common + "# 1 \"b.c\"\nint b(int x) { return x > counter + limit; }\n"),
		load("# 1 \"c.c\"\nint counter;\nint c(int x) { return x > counter; }\n"),
	}
	g := Defined(units)
	got := strings.Split(strings.TrimSpace(strings.Join(g.Prefixes(), "")), "\n")
	want := []string{"#define limit klabel_2_limit", "#define twice klabel_2_twice", "#pragma weak counter",
		"#define counter klabel_3_counter"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if others, _, _ := g.Linkable(units, 0, map[string]bool{"b": true}); len(others) != 0 {
		t.Errorf("the first links with %v, though limit and twice are defined twice", others)
	}
}

// TestCommon: units whose headers define variables without a first value can be linked, on demand.
func TestCommon(t *testing.T) {
	load := loader(t)
	units := []*csource.Unit{
		load("# 1 \"common.h\"\nint counter;\n# 1 \"a.c\"\nint a(int x) { return x > counter; }\n"),
		load("# 1 \"common.h\"\nint counter;\n# 1 \"b.c\"\nint b(int x) { return x > counter; }\n"),
		load("extern int counter;\nint c(int x) { return x > counter; }\n"),
	}
	g := Defined(units)
	others, without, renamed := g.Linkable(units, 0, map[string]bool{"b": true, "c": true})
	if !slices.Equal(others, []int{1, 2}) || len(without)+len(renamed) > 0 {
		t.Errorf("the first links with %v, not with %v, and renames %v", others, without, renamed)
	}
	if !g.Common([]int{0, 1}) || g.Common([]int{0, 2}) {
		t.Error("what has to be asked of the compiler is not what the units have in common")
	}
}

// TestLinkable: a unit is linked with what it needs, what its tests mention, and what works by itself.
func TestLinkable(t *testing.T) {
	load := loader(t)
	units := []*csource.Unit{
		load("int b(int);\nint c(int);\nint a(int x) { return b(x); }\n"),
		load("extern int limit;\nint b(int x) { return x > limit; }\n"),
		load("int limit = 3;\n"),
		load("int c(int x) { return x; }\n"),
		load("int d(int x) { return x; }\n"),
		load("int started;\n__attribute__((constructor)) static void start(void) { started = 1; }\n"),
		load("int b(int x) { return -x; }\n"),
	}
	g := Defined(units)
	for _, c := range []struct {
		mentioned       string
		others, without []int
	}{
		{"", []int{1, 2, 5}, []int{6}},
		{"c", []int{1, 2, 3, 5}, []int{6}},
		{"d", []int{1, 2, 4, 5}, []int{6}},
	} {
		others, without, _ := g.Linkable(units, 0, map[string]bool{c.mentioned: true})
		if !slices.Equal(others, c.others) || !slices.Equal(without, c.without) {
			t.Errorf("%q: it links with %v, not with %v; want %v, %v", c.mentioned, others, without, c.others,
				c.without)
		}
	}
	// Where the assembler gives names, nobody knows what is needed.
	units = append(units, load("int e(int) __asm__(\"d\");\nint f(int x) { return e(x); }\n"))
	if others, _, _ := Defined(units).Linkable(units, 0, nil); !slices.Equal(others, []int{1, 2, 3, 4, 5, 7}) {
		t.Errorf("with names of the assembler it links with %v", others)
	}
}

// What the program defines by a name of the library has another name, and so have stubs for what it declares itself.
func TestOwnLibrary(t *testing.T) {
	u := loader(t)("int fstat(int fd, void *to);\n" +
		"int getchar(void) { return fstat(0, 0); }\nint mine(void) { return 1; }\n")
	got := OwnLibrary(u)
	if !strings.Contains(got, "#define getchar klabel_own_getchar\n") || strings.Contains(got, "fstat") ||
		strings.Contains(got, "mine") {
		t.Error(got)
	}
	got = Defined([]*csource.Unit{u}).OwnLibrary("fstat", "theirs", "fstat")
	if strings.Count(got, "#define fstat klabel_own_fstat\n") != 1 || strings.Contains(got, "theirs") {
		t.Error(got)
	}
}
