package ctests

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"klabel/toolchain"
)

// Where two objects lie to each other is not the same in the two runs that are compared, and
// what AddressSanitizer refuses ends the second one: in the hands of whoever builds the
// tests so it would fail.
func TestElsewhere(t *testing.T) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil || !tools.Clang.HasASan {
		t.Skip("no clang with AddressSanitizer")
	}
	for _, c := range []struct {
		name, text   string
		same, broken bool
	}{
		{"a number", `printf("%d\n", argc);`, true, false},
		{"a distance", `char a[8] = "a", b[8] = "b"; printf("%ld\n", (long)(a - b));`, false, false},
		{"a place", `char a[8], *b = malloc(8); printf("%ld\n", ((long)a - (long)b) >> 20);`, false, false},
		{"what nobody has set", `volatile unsigned n; printf("%d\n", n == 0xaaaaaaaa);`, false, false},
		{"beyond an end", `char a[8] = "a"; volatile int n = 9; printf("%d\n", a[n] * 0);`, false, true},
	} {
		runner := filepath.Join(t.TempDir(), RunnerFile)
		text := "#include <stdio.h>\n#include <stdlib.h>\n" +
			"int main(int argc, char **argv) { " + c.text + " return 0; }\n"
		if err := os.WriteFile(runner, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		observe, clean, err := Recorder(context.Background(), tools.Clang, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer clean()
		one, err := observe(runner, []string{"it"})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		other, err := observe(runner, []string{"it", elsewhere})
		if (err != nil) != c.broken {
			t.Errorf("%s, elsewhere: %v", c.name, err)
		}
		if err == nil && (string(one) == string(other)) != c.same {
			t.Errorf("%s: %q here and %q elsewhere", c.name, one, other)
		}
	}
}

// TestAgain: one process runs the program so many times, in a hurry a few, and no more where that takes long.
func TestAgain(t *testing.T) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil {
		t.Skip("no clang")
	}
	for _, c := range []struct {
		name, text string
		hurry      time.Time
		least      int // a machine that others keep busy does not get further
		most       int
	}{
		{"in time", "", time.Time{}, fewRuns + 1, furtherRuns},
		{"in a hurry", "", time.Now(), 1, fewRuns},
		{"it takes long", "sleep(3);", time.Time{}, 1, 1},
	} {
		runner := filepath.Join(t.TempDir(), RunnerFile)
		text := "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n" +
			"static int klabel_record(int argc, char **argv) { " + c.text + " return puts(argv[argc - 1]) < 0; }\n" +
			part("names") + part("again")
		if err := os.WriteFile(runner, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		objects, remove, err := NewObjects(tools.Clang)
		if err != nil {
			t.Fatal(err)
		}
		defer remove()
		objects.Hurry = c.hurry
		observe, clean, err := objects.Recorder(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer clean()
		out, err := observe(runner, []string{"it", again})
		runs := strings.Count(string(out), "it\n")
		if err != nil || len(out) != runs*len("it\n") || runs < c.least || runs > c.most {
			t.Errorf("%s: %q, %v; want %d to %d times", c.name, out, err, c.least, c.most)
		}
	}
}

// TestAgainInOtherMemory: what memory from malloc holds that nothing has set is not the same in further runs.
func TestAgainInOtherMemory(t *testing.T) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil {
		t.Skip("no clang")
	}
	runner := filepath.Join(t.TempDir(), RunnerFile)
	text := "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n" +
		"const char *__asan_default_options(void) { return \"detect_leaks=0\"; }\n" +
		"static int klabel_record(int argc, char **argv) {\n" +
		"    char *p = malloc(64);\n    int n = p[40];\n    (void)argc;\n    (void)argv;\n    free(p);\n" +
		"    return printf(\"%d\\n\", n) < 0;\n}\n" + part("names") + part("again")
	if err := os.WriteFile(runner, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []toolchain.Flags{nil, {"-fsanitize=address"}} {
		objects, remove, err := NewObjects(tools.Clang)
		if err != nil {
			t.Fatal(err)
		}
		defer remove()
		observe, clean, err := objects.Recorder(t.Context(), flags, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer clean()
		first, err := observe(runner, []string{"it"})
		if err != nil || len(first) == 0 {
			t.Fatalf("%q: prints %q: %v", flags, first, err)
		}
		if more, err := observe(runner, []string{"it", again}); err != nil || len(more) == 0 ||
			strings.HasPrefix(string(more), string(first)) {
			t.Errorf("%q: prints %q, and in further runs %q: %v", flags, first, more, err)
		}
	}
}
