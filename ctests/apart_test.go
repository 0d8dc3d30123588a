package ctests

import (
	"testing"

	"klabel/input"
)

// TestStubsApart: one name may be that of two stubs, in entries of two images; a name that begins like
// another one is not that.
func TestStubsApart(t *testing.T) {
	whole := &input.Type{Kind: input.Int, Decl: "int @", Size: 4, Signed: true}
	stub := func(head string) *input.Driver {
		return &input.Driver{Calls: []*input.Call{{Function: "out_stub", Head: head, Static: true,
			Result: &input.Input{Type: whole}}}}
	}
	first, same, other := stub("int out_stub(void)"), stub("int out_stub(void)"), stub("int out_stub(char c)")
	before := "static int given_out_stub_returns[1] = {3};\nout_stub_returns = given_out_stub_returns;\n" +
		"out_stub_returns_left = 1;\nint out_stub_9 = 1;\n"
	var tests []*written
	for _, d := range []*input.Driver{first, same, other, other} {
		tests = append(tests, &written{driver: d, before: before, call: "f(out_stub, out_stub_9)"})
	}
	tellStubsApart(tests)
	for i, w := range tests {
		text, call, head := before, "f(out_stub, out_stub_9)", "int out_stub(void)"
		if i > 1 {
			text = "static int given_out_stub_other_2_returns[1] = {3};\n" +
				"out_stub_other_2_returns = given_out_stub_other_2_returns;\n" +
				"out_stub_other_2_returns_left = 1;\nint out_stub_9 = 1;\n"
			call, head = "f(out_stub_other_2, out_stub_9)", "int out_stub_other_2(char c)"
		}
		if w.before != text || w.call != call || w.driver.Calls[0].Head != head {
			t.Errorf("%d: %s%s\n%s", i, w.before, w.call, w.driver.Calls[0].Head)
		}
	}
}
