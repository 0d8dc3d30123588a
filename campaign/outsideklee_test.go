package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
	"klabel/runtime_c"
	"klabel/toolchain"
)

func TestOutsideKLEE(t *testing.T) {
	tools := testTools(t, "")
	whole := &toolchain.KLEE{RuntimeDir: "/k", Posix: true, Uclibc: true}
	for _, c := range []struct {
		text string
		klee *toolchain.KLEE
		want string // all of it; "" nothing
	}{
		{"#include <stdio.h>\nint main(void) { int n; return scanf(\"%d\", &n) + getchar(); }", whole, ""},
		{"#include <setjmp.h>\njmp_buf b; int main(void) { return setjmp(b); }", whole,
			"its C library does not have setjmp"},
		{"#include <stdio.h>\n#include <stdlib.h>\nint main(void) { quick_exit(fmemopen(0, 0, 0) != 0); }", whole,
			"its C library does not have fmemopen, quick_exit"},
		{"int poll(int n) { return n; }\nint main(int argc, char **argv) { return poll(argc); }", whole, ""},
		{"int main(void) { return 0; }", &toolchain.KLEE{RuntimeDir: "/k", Posix: true}, "no uclibc"},
		{"int main(void) { return 0; }", &toolchain.KLEE{RuntimeDir: "/k", Uclibc: true}, "no POSIX runtime"},
		{"int main(void) { return 0; }", nil, "no POSIX runtime"},
	} {
		file := filepath.Join(t.TempDir(), "f.c")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		u, err := csource.Load(t.Context(), file, csource.Options{Clang: tools.Clang, Flags: []string{"-w"}})
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		got := outsideKLEE(&toolchain.Tools{KLEE: c.klee}, []*csource.Unit{u})
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// The list names what the file has, and nothing else.
func TestLackedByKLEE(t *testing.T) {
	text := runtime_c.Text("klee/lacking.c")
	if n := strings.Count(text, "\nWEAK "); n != len(lackedByKLEE)+len(drivers.Sized) {
		t.Errorf("%d names for %d functions", len(lackedByKLEE)+len(drivers.Sized), n)
	}
	for _, name := range drivers.Sized {
		if !strings.Contains(text, name+"(") {
			t.Errorf("%s is not there", name)
		}
	}
	for _, name := range lackedByKLEE {
		if !strings.Contains(text, name+"(") {
			t.Errorf("%s is not there", name)
		}
		for declared, want := range map[string]bool{name: true, "my" + name: false} {
			p := program{modules: []module{{text: []byte("declare ptr @" + declared + "(ptr)\n")}}}
			if got := p.asksLacking(nil); got != want {
				t.Errorf("%s declared: %v", declared, got)
			}
		}
	}
}
