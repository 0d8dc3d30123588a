package ctests

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"klabel/input"
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

// standIns define names of other files under their own, whatever the source declares them as. Where tests
// give inputs, those that drivers have stubs for return what these say.
func (o Options) standIns(given bool) string {
	missing, weak := o.missing, ""
	if len(missing) == 0 && o.Observe == nil {
		missing, weak = o.Lacks, "__attribute__((weak)) "
	}
	if len(missing) == 0 {
		return ""
	}
	var s strings.Builder
	s.WriteString("/* What other files need and no file of the tests has: functions that return what a test gives,\n" +
		" * or 0, and zeros. */\n")
	isStub := func(name string) bool { return asStub(o.Stubs[name], "") != "" }
	if given && slices.ContainsFunc(missing, isStub) {
		s.WriteString("static void klabel_take(void *to, size_t size, const char *name);\n")
	}
	for i, name := range missing {
		if own := asStub(o.Stubs[name], fmt.Sprintf("klabel_missing_%d", i+1)); given && own != "" {
			head, _, _ := strings.Cut(own, "\n")
			fmt.Fprintf(&s, "extern %s __asm__(%q);\n%s%s", head, name, weak, own)
			continue
		}
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

// asStub is a function that returns what the stub of a driver does, in words that need no type of the program's: as
// the machine hands over pointers and integers. "" where that cannot be.
func asStub(c *input.Call, name string) string {
	if c == nil || c.Result == nil || len(c.Outputs) > 0 {
		return ""
	}
	t := c.Result.Type
	whole := t.Kind == input.Int || t.Kind == input.Enum || t.Kind == input.Bool
	take := fmt.Sprintf("    klabel_take(&given, sizeof given, %q);\n", c.Result.Object)
	switch {
	case c.Gives > 0:
		params := make([]string, c.Gives)
		for i := range params {
			params[i] = fmt.Sprintf("long a%d", i+1)
		}
		unused := ""
		for i := range params[1:] {
			unused += fmt.Sprintf("    (void)a%d;\n", i+1)
		}
		return fmt.Sprintf("long %s(%s)\n{\n    unsigned char given;\n\n%s%s    return given & 1 ? a%d : 0;\n}\n",
			name, strings.Join(params, ", "), unused, take, c.Gives)
	case whole && c.Value == "" && slices.Contains([]int64{1, 2, 4, 8}, t.Size):
		number := map[int64]string{1: "char", 2: "short", 4: "int", 8: "long long"}[t.Size]
		sign := "unsigned"
		if t.Signed {
			sign = "signed"
		}
		value := "(long long)given"
		if c.Result.Mask {
			value = "given & 1"
		}
		return fmt.Sprintf("long long %s(void)\n{\n    %s %s given;\n\n%s    return %s;\n}\n", name, sign, number, take,
			value)
	}
	return ""
}
