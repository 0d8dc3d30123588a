package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// Who takes numbers and texts, as another argument says, gets numbers first, and texts later.
func TestNumbersAndTexts(t *testing.T) {
	const text = `
#include <stdarg.h>
int configure(int *flags, int option, ...)
{
    int set = 0;
    va_list ap;
    va_start(ap, option);
    if (option == 1)
        set = va_arg(ap, int);
    else if (option == 2)
        set = *va_arg(ap, const char *) == 'x';
    va_end(ap);
    return set ? *flags |= option : *flags;
}
`
	for v, want := range map[drivers.Variant]string{drivers.Arguments: "int argument_1;",
		drivers.Wider: "char argument_1["} {
		if e := entryOf(t, text, "configure", v); !strings.Contains(e, want) {
			t.Errorf("%s without %q:\n%s", v, want, e)
		}
	}
}

// Beside texts go the floating-point numbers that are read; variants give numbers in place of texts, where some are.
func TestNumbersBesideTexts(t *testing.T) {
	const text = `#include <stdarg.h>
static int one(const char *s, va_list *l) { return *s == 's' ? *va_arg(*l, char *) : *s == 'd' ? va_arg(*l, int) : 0; }
int texts(const char *s, ...) { va_list l; va_start(l, s); int r = *va_arg(l, char *); va_end(l); return r == *s; }
int some(const char *s, ...) { va_list l; va_start(l, s); int r = one(s, &l); va_end(l); return r == 5; }
int all(const char *s, ...) { va_list l; va_start(l, s); int r = one(s, &l);
	if (*s == 'f' && va_arg(l, double) > 2.5) r++; va_end(l); return r == 1; }
`
	for _, c := range []struct {
		function string
		variant  drivers.Variant
		want     string
	}{
		{"texts", drivers.Arguments, "argument_3, 0L"},
		{"texts", drivers.Wider, "argument_3, 0L"},
		{"some", drivers.Arguments, "argument_3, 0L"},
		{"some", drivers.Wider, "argument_3, 0L"},
		{"all", drivers.Arguments, "argument_6, 0L"},
		{"all", drivers.Wider, "argument_3, 0L"},
	} {
		driver := entryOf(t, text, c.function, c.variant)
		if !strings.Contains(driver, c.want) {
			t.Errorf("%s%s: no %q in\n%s", c.function, c.variant, c.want, driver)
		}
		number := strings.Contains(driver, "long long argument_1;")
		double := strings.Contains(driver, "double argument_6;")
		if number != (c.variant == drivers.Wider && c.function != "texts") ||
			double != (c.variant == drivers.Arguments && c.function == "all") {
			t.Errorf("%s%s:\n%s", c.function, c.variant, driver)
		}
	}
}
