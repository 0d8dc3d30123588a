package ctests

import (
	"errors"
	"fmt"
	"strings"
)

// Of a part of a program other files are linked with the tests, and need what is in
// files that klabel was not given. So that there is a program all the same, stand-ins
// have these names.
//
// Limits: what is more than 4 KB, and functions that return structures, are not stood in for.

// rounds are enough for a linker that does not name all at once.
const rounds = 3

// complete has a program built until the linker misses nothing more.
func (o *Options) complete(build func() error) (err error) {
	for range rounds {
		var r *refusal
		if err = build(); !errors.As(err, &r) || len(r.missing) == 0 || len(o.Sources) == 0 {
			return err
		}
		o.missing = append(o.missing, r.missing...)
	}
	return err
}

// standIns define names of other files under their own, whatever the source declares
// them as.
func (o Options) standIns() string {
	missing, weak := o.missing, ""
	if len(missing) == 0 && o.Observe == nil {
		missing, weak = o.Lacks, "__attribute__((weak)) "
	}
	if len(missing) == 0 {
		return ""
	}
	var s strings.Builder
	s.WriteString("/* What other files need and no file of the tests has: functions that return 0, and zeros. */\n")
	for i, name := range missing {
		if o.Called[name] {
			fmt.Fprintf(&s, "extern long klabel_missing_%d(void) __asm__(\"%s\");\n", i+1, name)
			fmt.Fprintf(&s, weak+"long klabel_missing_%d(void)\n{\n    return 0;\n}\n", i+1)
			continue
		}
		fmt.Fprintf(&s, "extern char klabel_missing_%d[4096] __asm__(\"%s\");\n", i+1, name)
		fmt.Fprintf(&s, weak+"char klabel_missing_%d[4096] __attribute__((aligned(16)));\n", i+1)
	}
	return s.String() + "\n"
}
