package csource

import (
	"testing"

	"modernc.org/cc/v4"
)

// What programs assert of packed structures by arrays without negative sizes is true: clang has read it.
func TestAssertedSizes(t *testing.T) {
	const text = `struct A { char c; int i; } __attribute__((packed));
struct B { long l; char c; } __attribute__((packed));
typedef char checked[sizeof(struct A) == 5 ? 1 : -1]; extern char again[ sizeof (struct B)==9?1:-1];
struct N { int x; char v[1 - 2*!!(sizeof(struct A) != 5)]; };
char chosen[sizeof(int) == 4 ? 7 : 2], less[sizeof(int) - 1], *brackets = "[[";
int f(int x)
{
    extern char k[(sizeof(struct A) == 5) * 2 - 1];
    return x > 3 && sizeof(char[sizeof(struct B) == 9 ? 1 : -1]);
}
char many[sizeof(struct A) == 5 ? 16 : -1], other[sizeof(struct A) != 5 ? -1 : 12];
`
	u, err := Parse(t.Context(), "t.c", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"chosen": 7, "less": 3, "again": 1, "many": 16, "other": 12} {
		d, ok := u.AST.Scope.Nodes[name][0].(*cc.Declarator)
		if a, is := d.Type().(*cc.ArrayType); !ok || !is || a.Len() != want {
			t.Errorf("%s has %v items, want %d", name, d.Type(), want)
		}
	}
	if _, err := Parse(t.Context(), "t.c", []byte("char gone[4 - 12];"), Options{}); err == nil {
		t.Error("a size that asserts nothing is believed")
	}
}

func TestPackedSizes(t *testing.T) {
	const packed = "struct A { char c; int i; } __attribute__((packed));\n"
	for text, want := range map[string]bool{
		packed + "struct M { char raw[sizeof(struct A)]; };":                                     true,
		packed + "int f(char *p) { return p[3] + sizeof(struct A) > 9; }":                        false,
		"struct M { char raw[sizeof(int)]; };":                                                   false,
		"# 1 \"/usr/include/s.h\" 1 3\n" + packed + "# 2 \"t.c\" 2\nchar raw[sizeof(struct A)];": false,
	} {
		u, err := Parse(t.Context(), "t.c", []byte(text), Options{})
		if err != nil {
			t.Error(err)
		} else if got := u.PackedSizes(); got != want {
			t.Errorf("%v for %s", got, text)
		}
	}
}
