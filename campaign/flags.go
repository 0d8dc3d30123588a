package campaign

import (
	"slices"
	"strings"
)

// splitFlags keeps, of the flags for a source, those that still matter for its
// preprocessed text (the language and the machine, not includes and macros), and
// those for the linker.
func splitFlags(flags []string) (compile, link []string) {
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		switch {
		case slices.Contains([]string{"-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-MF", "-MT", "-MQ"}, f):
			i++
		case hasAnyPrefix(f, "-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-M", "-W", "-O") && !strings.HasPrefix(f, "-Wl,"):
		case hasAnyPrefix(f, "-l", "-L", "-Wl,"), f == "-pthread":
			link = append(link, f)
		default:
			compile = append(compile, f)
		}
	}
	return compile, link
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
