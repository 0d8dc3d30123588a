package ctests

import (
	"strings"
	"testing"

	"klabel/input"
)

// What an image calls the main function of a file is not what the tests call it.
func TestStepsCallMain(t *testing.T) {
	w := newBody()
	w.main = "klabel_main_65"
	steps := []input.Prepared{{Prepare: &input.Prepare{Function: "klabel_main_65"}},
		{Prepare: &input.Prepare{Function: "fill"}}}
	if err := w.steps(steps); err != nil {
		t.Fatal(err)
	}
	got := w.out.String()
	if !strings.Contains(got, "(void)"+programMain+"();") || !strings.Contains(got, "(void)fill();") {
		t.Error(got)
	}
}
