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
