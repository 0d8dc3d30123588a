package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// A text is as long as the constant steps of its reader ask for, one behind the other, within what is cheap.
func TestLeaps(t *testing.T) {
	b := newBench(t)
	u := b.unit(t, written(t, `
static int digits(const char *s) { return s[0] && s[1] && s[2] && s[3] ? s[3] : 0; }
int pair(const char **from)
{
    const char *at = *from;
    at++;
    if (!digits(at))
        return 0;
    at += 4;
    if (*at++ != '\\' || *at++ != 'u' || !digits(at))
        return 0;
    at = at + 3;
    *from = at;
    return 1;
}
int caller(const char *s) { return pair(&s); }
int second(const unsigned char *s) { const unsigned char *t = s + 12; return t[1] == 'u'; }
int each(const char *s) { int n = 0; while (*s++ == 'a') n++; return n; }
int far_off(const char *s) { return s[20] == 'x'; }
int block(const char *s) { s += 4000; return *s; }
`))
	for function, want := range map[string]string{"pair": "(*from_text)[12]", "caller": "(*s_text)[9]",
		"second": "(*s_items)[14]", "each": "(*s_text)[9]", "far_off": "(*s_text)[22]", "block": "(*s_text)[33]"} {
		d, err := drivers.ForUnit(u, drivers.Options{}, []drivers.Want{{Function: function, Number: 1}})
		if err != nil || len(d.LeftOut) > 0 || !strings.Contains(d.Text(), want) {
			t.Errorf("%s: %v, %+v, want %s:\n%s", function, err, d.LeftOut, want, d.Text())
		}
	}
}
