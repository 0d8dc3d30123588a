package ctests

import (
	"fmt"
	"strings"

	"klabel/input"
)

// A mock is a stub that tests check: the text of each call, as people write it,
// is held against what the test expects, in order, across all mocks. One
// mechanism serves every framework.

// mocked writes what a mock does first: it tells of its call.
func mocked(c *input.Call) string {
	var shown, values []string
	for _, p := range c.Params {
		format, value := argumentText(p)
		shown, values = append(shown, p.Shown+format), append(values, value...)
	}
	args := append([]string{fmt.Sprintf("%q", c.Function+"("+strings.Join(shown, ", ")+")")}, values...)
	return "    klabel_called(" + strings.Join(args, ", ") + ");\n"
}

// argumentText is the format and the C of an argument: of pointers only whether
// they are NULL, of structures nothing.
func argumentText(p input.Param) (format string, values []string) {
	switch {
	case p.Type == nil:
		return "", nil
	case p.Type.Kind == input.Pointer:
		return " %s", []string{p.Name + " != NULL ? \"not NULL\" : \"NULL\""}
	case p.Type.Kind == input.Float:
		return " = %.17g", []string{"(double)" + p.Name}
	case (p.Type.Kind == input.Int || p.Type.Kind == input.Enum || p.Type.Kind == input.Bool) && p.Type.Size <= 8:
		if p.Type.Size == 8 && !p.Type.Signed {
			return " = %llu", []string{"(unsigned long long)" + p.Name}
		}
		return " = %lld", []string{"(long long)" + p.Name}
	}
	return "", nil
}

// mocks reports whether the test's function calls mocks.
func (t *written) mocks() bool {
	if t.driver != nil {
		for _, c := range t.driver.Calls {
			if c.Mock {
				return true
			}
		}
	}
	return false
}

// expectations tells the mocks, before the call, what is expected of it.
func (t *written) expectations() string {
	if !t.expects {
		return ""
	}
	if len(t.calls) == 0 {
		return "    klabel_expect(NULL, 0);\n"
	}
	var s strings.Builder
	s.WriteString("    static const char *const expected_calls[] = {\n")
	for _, c := range t.calls {
		fmt.Fprintf(&s, "        %s,\n", text([]byte(c)))
	}
	fmt.Fprintf(&s, "    };\n    klabel_expect(expected_calls, %d);\n", len(t.calls))
	return s.String()
}
