package ctests

import (
	"fmt"
	"slices"
	"strings"

	"klabel/input"
)

// verifierFunctions are those of parts/verifier.c.
var verifierFunctions = []string{"__VERIFIER_assume", "sc_assume", "reach_error", "__VERIFIER_error",
	"__VERIFIER_assert", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"}

// stubs defines the functions that the source lacks, with a queue of values
// for each. With mocks, those that are some tell of their calls.
func stubs(tests []*written, mocks bool) string {
	var s strings.Builder
	var calls []*input.Call
	named := map[string]bool{} // by tests
	for _, t := range tests {
		for _, w := range identifier.FindAllString(t.before+t.call, -1) {
			w, _, _ = strings.Cut(strings.TrimSuffix(w, "_returns"), "_writes_")
			named[w] = true
		}
	}
	seen := map[string]bool{}
	for _, t := range tests {
		if t.driver == nil {
			continue
		}
		for _, c := range t.driver.Calls {
			// A stub behind a pointer that no test sets would be unused.
			replaces := slices.ContainsFunc(t.driver.Replaced,
				func(r input.Replaced) bool { return r.Name == c.Function })
			used := !c.Static || replaces || named[c.Function]
			if used && !seen[c.Function] {
				seen[c.Function] = true
				calls = append(calls, c)
			}
		}
	}
	for _, t := range tests {
		if t.driver == nil {
			continue
		}
		for _, u := range t.driver.Undefined {
			if !seen[u] && !slices.ContainsFunc(calls, func(
				c *input.Call) bool {
				return strings.HasPrefix(u, c.Head+"\n")
			}) {
				seen[u] = true
				s.WriteString(u + "\n")
			}
		}
	}
	for _, c := range calls {
		if c.Result != nil {
			declareQueue(&s, c.Function+"_returns", c.Result.Type)
		}
		for i, o := range c.Outputs {
			declareQueue(&s, fmt.Sprintf("%s_writes_%d", c.Function, i+1), o.Type)
		}
		if c.Static {
			s.WriteString("static ")
		} else { // to another compiler, or with arguments, it may be a macro
			s.WriteString("#undef " + c.Function + "\n")
		}
		s.WriteString(c.Head + "\n{\n")
		if c.Mock && mocks {
			s.WriteString(mocked(c))
		}
		for i, o := range c.Outputs {
			q := fmt.Sprintf("%s_writes_%d", c.Function, i+1)
			if i < len(c.Hands) && c.Hands[i] {
				fmt.Fprintf(&s, "    if (%s != NULL && %s_left > 0) {\n        *%s = (void *)*%s++;\n"+
					"        %s_left--;\n    }\n", c.Through[i], q, c.Through[i], q, q)
				continue
			}
			if i < len(c.Rooms) && c.Rooms[i] != "" {
				s.WriteString(filling(c, i, q))
				continue
			}
			fmt.Fprintf(&s, "    if (%s != NULL && %s_left > 0) {\n        memcpy(%s, %s++, %d);\n"+
				"        %s_left--;\n    }\n",
				c.Through[i], q, c.Through[i], q, o.Type.Size, q)
		}
		switch {
		case c.Value != "" && c.Result != nil:
			q := c.Function + "_returns"
			fmt.Fprintf(&s, "    return %s_left-- > 0 && *%s++ ? %s : NULL;\n", q, q, c.Value)
		case c.Value != "":
			fmt.Fprintf(&s, "    return %s;\n", c.Value)
		case c.Result != nil:
			q := c.Function + "_returns"
			zero := "(" + strings.TrimSpace(c.Result.Type.Declare("")) + "){0}"
			fmt.Fprintf(&s, "    return %s_left-- > 0 ? *%s++ : %s;\n", q, q, zero)
		case c.Ends:
			s.WriteString("    exit(1);\n")
		}
		s.WriteString("}\n\n")
	}
	return s.String()
}

// filling is C that fills a buffer as far as there is room.
func filling(c *input.Call, i int, queue string) string {
	to, room, size := c.Through[i], c.Rooms[i], c.Outputs[i].Type.Size
	var s strings.Builder
	fmt.Fprintf(&s, "    if (%s != NULL && (long)(%s) > 0 && %s_left > 0) {\n", to, room, queue)
	fmt.Fprintf(&s, "        unsigned long klabel_room = %s;\n", room)
	fmt.Fprintf(&s, "        if (klabel_room > %d)\n            klabel_room = %[1]d;\n", size)
	fmt.Fprintf(&s, "        memcpy(%s, %s++, klabel_room);\n", to, queue)
	if c.Outputs[i].Text {
		fmt.Fprintf(&s, "        ((char *)%s)[klabel_room - 1] = 0;\n", to)
	}
	fmt.Fprintf(&s, "        %s_left--;\n    }\n", queue)
	return s.String()
}

func declareQueue(s *strings.Builder, name string, t *input.Type) {
	fmt.Fprintf(s, "/* What %s gives, one value a call. */\n", strings.TrimSuffix(name, "_returns"))
	of := "*" + name
	if t.Kind == input.Array {
		of = "(" + of + ")"
	}
	fmt.Fprintf(s, "static %s;\nstatic int %s_left;\n\n", t.Declare(of), name)
}
