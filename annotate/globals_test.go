package annotate

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"klabel/csource"
)

// A global belongs to a unit that defines it if no other unit does more than declare it.
func TestOwnGlobals(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "h.h"), "extern int mine, shared, taken, nowhere;\nint tentative;\n")
	var units []*csource.Unit
	for name, text := range map[string]string{
		"a.c": "int mine = 1, shared, taken; static int own;\n" +
			"int f(int mode) { return mine + own + nowhere; }\nint mode;\n",
		"b.c": "int g(void) { extern int shared; return shared++; }\nint *const p = &taken;\n" +
			"int h(void) { struct { int mine2; } s = {0}; return s.mine2; }\n",
	} {
		u, err := csource.Load(context.Background(), write(t, filepath.Join(dir, name), "#include \"h.h\"\n"+text),
			csource.Options{Clang: clang(t)})
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, u)
	}
	if filepath.Base(units[0].Path) != "a.c" {
		slices.Reverse(units)
	}
	own, shared := OwnGlobals(units)
	if want := []string{"shared", "taken", "tentative"}; !slices.Equal(shared, want) {
		t.Errorf("shared: %v, want %v", shared, want)
	}
	if len(own[0]) != 2 || !own[0]["mine"] || !own[0]["mode"] || len(own[1]) != 1 || !own[1]["p"] {
		t.Errorf("own: %v", own)
	}
}
