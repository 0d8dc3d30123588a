package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/label"
	"klabel/store"
)

// What a volatile variable may become no run of the program shows: where one is
// read, nothing is infeasible; where it is only written, or is a local variable, all
// is as without.
func TestVolatile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]label.Status{
		"volatile int sensor;\nint main(void)\n{\n    return sensor > 3 ? 1 : 0;\n}\n":                label.Unknown,
		"struct { volatile char in; } port;\nint main(void)\n{\n    return port.in ? 1 : 0;\n}\n":     label.Unknown,
		"volatile int lamp; int k;\nint main(void)\n{\n    lamp = 1;\n    return k > 3 ? 1 : 0;\n}\n": label.Infeasible,
		"int main(void)\n{\n    volatile int k = 0;\n    return k > 3 ? 1 : 0;\n}\n":                  label.Infeasible,
		"_Atomic int flag;\nint main(void)\n{\n    return flag > 3 ? 1 : 0;\n}\n":                     label.Unknown,
		"typedef _Atomic(int) flag;\nflag f;\nint main(void)\n{\n    return f > 3 ? 1 : 0;\n}\n":      label.Unknown,
		"static int k;\nint main(void)\n{\n    return *(volatile int *)&k > 3 ? 1 : 0;\n}\n":          label.Unknown,
		"struct port { volatile int in, out[2]; } port;\nstatic int in(struct port *p)\n{\n    return p->in > 3 || " +
			"p->out[1] > 3 ? 1 : 0;\n}\nint main(void)\n{\n    return in(&port);\n}\n": label.Unknown,
		"int main(void)\n{\n    static volatile int k[2];\n    return k[1] > 3 ? 1 : 0;\n}\n": label.Unknown,
	} {
		file := filepath.Join(t.TempDir(), "v.c")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "out")
		if _, err := Run(t.Context(), Job{Sources: []Source{{Path: file}}, Criteria: []string{"DC"}, OutputDir: out,
			Engine: "native", Prune: PruneNever, TestStyle: NoCTests}, testTools(t, ""), Silent{}); err != nil {
			t.Fatal(err)
		}
		snap, err := store.Read(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range snap.Labels {
			if l.Status != label.Covered && l.Status != want {
				t.Errorf("%q is %v, want %v:\n%s", l.Predicate, l.Status, want, text)
			}
			if l.Status == label.Unknown && !strings.Contains(l.Reason.Text, "volatile variables that stay: ") {
				t.Errorf("%q is unknown, since %q", l.Predicate, l.Reason.Text)
			}
		}
	}
}
