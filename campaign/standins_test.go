package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"klabel/label"
	"klabel/store"
)

// What a program with its own main calls and nobody defines has a stub. It covers
// labels, and proves none infeasible: the function may do more than return a value.
// What is declared by hand and in the C library is the library's.
func TestStandIns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.c")
	text := `extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_nondet_memory(void *, unsigned long);
extern _Bool __VERIFIER_nondet__Bool(void);
extern unsigned long strlen(const char *);
extern int usleep(unsigned);
struct dev { int a; };
extern struct dev *get(int);
extern int ask(int *);
int main(void)
{
    int x = 0, b[2];
    struct dev *d = get(1);
    if (ask(&x) > 3 && d && d->a == 7)
        return 1;
    if (x == 3)
        return 2;
    if (strlen("abc") == 3 && usleep(0) != 0)
        return 3;
    __VERIFIER_nondet_memory(b, sizeof b);
    if (b[1] == -77 && __VERIFIER_nondet__Bool())
        return 4;
    return 0;
}
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	_, err := Run(t.Context(), Job{Sources: []Source{{Path: path}}, Criteria: []string{"MCC"}, OutputDir: out,
		Engine: "native", Prune: PruneNever, TestStyle: NoCTests, Budget: time.Minute}, testTools(t, ""), Silent{})
	if err != nil {
		t.Fatal(err)
	}
	snap, err := store.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range snap.Labels {
		switch library := strings.Contains(l.Predicate, "klb_2_"); {
		case l.Status == label.Infeasible:
			t.Errorf("%s is called infeasible: %s", l.Predicate, l.Reason.Text)
		case l.Predicate == "(x == 3)":
			if !strings.Contains(l.Reason.Text, "stubs of ask, get") {
				t.Errorf("%s: %q does not name the stubs", l.Predicate, l.Reason.Text)
			}
		case l.Status != label.Covered && !library:
			t.Errorf("%s is %s", l.Predicate, l.Status)
		}
	}
	if len(snap.Labels) < 10 {
		t.Errorf("%d labels", len(snap.Labels))
	}
}
