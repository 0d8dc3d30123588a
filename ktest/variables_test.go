package ktest

import (
	"fmt"
	"testing"
)

func TestVariables(t *testing.T) {
	test := &Test{Objects: []Object{{Name: "x", Data: []byte{0, 0}}, {Name: "getenv_A", Data: []byte("on\x00rest")},
		{Name: "getenv_B", Data: []byte{0, 0, 1}}, {Name: "getenv_C", Data: []byte{0, 1}},
		{Name: "getenv_D", Data: []byte("open")}, {Name: "getenv_E"}, {Name: "y"}}}
	vars, rest := test.Variables()
	if got, want := fmt.Sprintf("%v", vars), `[{A on true} {B  false} `+
		`{C  true} {D open true} {E  false}]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(rest.Objects) != 2 || rest.Objects[0].Name != "x" || rest.Objects[1].Name != "y" || len(test.Objects) != 7 {
		t.Errorf("%v", rest.Objects)
	}
}
