package native

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"klabel/engine/native/exec"
	"klabel/label"
)

// elsewhere is a live view in which another engine holds a test for label 1
// until the exploration is nearly over; then its replay is refused.
type elsewhere struct {
	ownView
	asked int
}

func (v *elsewhere) Status(id uint32) label.Status {
	if id == 1 {
		if v.asked++; v.asked == 1 {
			return label.Pending
		}
		return label.Refused
	}
	return v.ownView.Status(id)
}

// A label that was passed because a test for it was due is not infeasible when
// that test turns out to be none.
func TestPendingElsewhereIsNotInfeasible(t *testing.T) {
	program := writeC(t, `
int klee_int(const char *); int klabel_wants(int); void klabel_label(int, int);
int main(void) {
    int x = klee_int("x");
    if (klabel_wants(1)) klabel_label(1, x == 5);
    if (klabel_wants(2)) klabel_label(2, x != x);
    return 0;
}`)
	dir := filepath.Join(t.TempDir(), "out")
	var stderr bytes.Buffer
	out, err := newOutput(dir, nil, &stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer out.close()
	im := image{clang: clang(t).Path, files: []string{program}}
	prog, err := im.program(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	stats, err := exec.New(prog, out, &elsewhere{ownView: ownView{}}, exec.Options{Greybox: true}).Run(
		context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(stats.Infeasible) != 1 || stats.Infeasible[0] != 2 {
		t.Errorf("infeasible: %v, want 2 alone; %v", stats.Infeasible, stats.Incomplete)
	}
}
