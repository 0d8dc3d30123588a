package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// The items of a parameter that is a constant array by name are constant: a stub with other parameters is
// no function of that type.
func TestConstantArraysByName(t *testing.T) {
	c := entryOf(t, `typedef unsigned char A[4]; typedef char *P[2];
struct s { int (*f)(const A x, A z); int (*g)(const P p); };
int outer(const A q, const P p);
int f(struct s *s, const A q) { return s->f ? s->f(q, 0) + outer(q, 0) : s->g(0); }
`, "f", drivers.Arguments)
	for _, want := range []string{"s_f_stub(const unsigned char *klabel_x, unsigned char *klabel_z)",
		"s_g_stub(char *const *klabel_p)", "outer(const unsigned char *klabel_q, char *const *klabel_p)"} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q in\n%s", want, c)
		}
	}
}
