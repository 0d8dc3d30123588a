package replayer

import (
	"testing"

	"klabel/label"
	"klabel/runtime_c"
)

// A choice that a driver makes says how many values it has: who draws tests draws one of these, and what
// a test leaves open is one of these whatever fills it.
func TestChoices(t *testing.T) {
	p := newPool(t, Options{Binary: build(t, runtime_c.Text("driver/choose.c")+`
int main(void)
{
    int y;
    if (klabel_choose("of three", 3) < 3 && klabel_choose("of two", 2) < 2) klabel_hit(1);
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume(y > 0);
    return 0;
}`, true)})
	v, made, err := p.ReplayWhole(t.Context(), 0, test())
	if err != nil || v.Outcome != label.Normal || len(made) != 3 {
		t.Fatalf("%+v, %v, %v", v, made, err)
	}
	if a := made[0]; !a.Ranged || a.Low != 0 || a.High != 2 || a.Data[0] > 2 {
		t.Errorf("%+v", a)
	}
	if a, y := made[1], made[2]; a.Ranged || y.Ranged {
		t.Errorf("%+v, %+v", a, y)
	}
}
