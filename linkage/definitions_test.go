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
	if others, _ := g.Linkable(units, 0); len(others) != 0 {
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
	if others, renamed := g.Linkable(units, 0); !slices.Equal(others, []int{1, 2}) || len(renamed) > 0 {
		t.Errorf("the first links with %v and renames %v", others, renamed)
	}
	if !g.Common([]int{0, 1}) || g.Common([]int{0, 2}) {
		t.Error("what has to be asked of the compiler is not what the units have in common")
	}
}
