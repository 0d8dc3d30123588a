package csource

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"klabel/toolchain"
)

// Whatever bytes the name of a file has, it is the same once it was written and read.
func TestFileNames(t *testing.T) {
	names := []string{"", " ", "a b.c", "a\"b", "\\", "\\\\\"", "é.c", "\xff\xfe", "a\x01" + "7.c",
		"-D,x.c", "%s%d", "a\nb.c", "//x"}
	for c := range 256 {
		if c != 0 {
			names = append(names, fmt.Sprintf("x%c1", c), "x"+string([]byte{byte(c)})+"7", string([]byte{byte(c)}))
		}
	}
	for _, name := range names {
		for _, form := range []string{"#line 7 %s", "# 7 %s", "# 7 %s 3"} {
			m, ok := parseMarker(fmt.Appendf(nil, form, quoteFile(name)))
			if !ok || m.line != 7 || m.file != name {
				t.Errorf("%q: read as %q, line %d", name, m.file, m.line)
			}
		}
	}
}

// Names in #line directives mean what they mean to clang, however they are spelt.
func TestFileNamesOfClang(t *testing.T) {
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{})
	if err != nil || tools.Clang == nil {
		t.Skip("SKIPPED: no clang on this machine")
	}
	file := filepath.Join(t.TempDir(), "f.c")
	for spelt, name := range map[string]string{
		`a\042b\134c\303\251.c`: "a\"b\\cé.c", `a\tb.c`: "a\tb.c", `a\1z.c`: "a\x01z.c", `a\0017.c`: "a\x017.c",
		`a\x41.c`: "aA.c", `C:\\x\\y.c`: `C:\x\y.c`, `a\a\b\f\n\r\v.c`: "a\a\b\f\n\r\v.c", `-a,b;c.c`: "-a,b;c.c",
	} {
		text := fmt.Sprintf("#line 40 \"%s\"\nint x;\n", spelt)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if m, ok := parseMarker([]byte(`#line 40 "` + spelt + `"`)); !ok || m.file != name {
			t.Errorf("%s: the directive is read as %q, want %q", spelt, m.file, name)
		}
		out, err := tools.Clang.Preprocess(t.Context(), file, nil)
		if err != nil {
			t.Errorf("%s: %v", spelt, err)
			continue
		}
		ms := readMarkers(out, file)
		if last := ms[len(ms)-1]; last.file != name || last.line != 40 {
			t.Errorf("%s: clang's marker is read as line %d of %q, want %q\n%s", spelt, last.line, last.file, name, out)
		}
	}
}
