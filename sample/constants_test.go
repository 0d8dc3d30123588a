package sample

import (
	"fmt"
	"math"
	"testing"
)

func TestConstants(t *testing.T) {
	const text = "# 7 \"/path/file.c\" 2\nint x3 = a12 + 0x1Fu - 'q' * '\\n'; " +
		"f(\"a 5 b\", 1.5, 07, 42UL);\n  #pragma 99\n"
	got := ""
	constantsIn([]byte(text), func(at int, c string) { got += fmt.Sprintf("%s %v; ", c, valuesOf(c)) })
	want := fmt.Sprintf(`0x1F [31]; 'q' [113]; '\n' [10]; "a 5 b" []; 1.5 [%d %d]; 07 [7]; 42 [42]; `,
		math.Float64bits(1.5), math.Float32bits(1.5))
	if got != want {
		t.Errorf("\n%s\n%s", got, want)
	}
}
