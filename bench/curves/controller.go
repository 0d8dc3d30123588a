package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

const (
	variables = 40 // of the controller's state
	rules     = 90
	steps     = 2
)

// controller writes a program as generators of control software do: global state,
// and rules that look at some of it and at the inputs. It is the same each time.
func controller() string {
	r := rand.New(rand.NewPCG(17, 40))
	var b strings.Builder
	b.WriteString("#include \"klee/klee.h\"\n\nstatic int in[6];\n")
	for i := range variables {
		fmt.Fprintf(&b, "static int g%d = %d;\n", i, r.IntN(4))
	}
	b.WriteString("\nstatic void step(void)\n{\n")
	atom := func() string {
		op := []string{"==", "!=", "<", ">", "<=", ">="}[r.IntN(6)]
		if r.IntN(2) == 0 {
			return fmt.Sprintf("in[%d] %s %d", r.IntN(6), op, r.IntN(12))
		}
		return fmt.Sprintf("g%d %s %d", r.IntN(variables), op, r.IntN(5))
	}
	for range rules {
		cond := atom()
		for range 1 + r.IntN(2) {
			cond = fmt.Sprintf("%s %s %s", cond, []string{"&&", "&&", "||"}[r.IntN(3)], atom())
			if r.IntN(3) == 0 {
				cond = "(" + cond + ")"
			}
		}
		fmt.Fprintf(&b, "    if (%s)\n        g%d = ", cond, r.IntN(variables))
		switch r.IntN(3) {
		case 0:
			fmt.Fprintf(&b, "%d;\n", r.IntN(5))
		case 1:
			fmt.Fprintf(&b, "in[%d] & 7;\n", r.IntN(6))
		default:
			fmt.Fprintf(&b, "g%d + 1;\n", r.IntN(variables))
		}
	}
	b.WriteString("}\n\nint main(void)\n{\n    int i;\n\n")
	fmt.Fprintf(&b, "    for (i = 0; i < %d; i++) {\n", steps)
	b.WriteString("        klee_make_symbolic(in, sizeof in, \"in\");\n        step();\n    }\n")
	b.WriteString("    return g0;\n}\n")
	return b.String()
}
