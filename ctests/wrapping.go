package ctests

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// redeclared are the functions that the source alone declares, but for those that have other names there.
func (o Options) redeclared(allocations, streams bool) (names []string) {
	for _, n := range o.Redeclares {
		if !o.Linked && !o.separate && !(allocations && slices.Contains(allocating, n)) &&
			!(streams && slices.Contains(onStreams, n)) {
			names = append(names, n)
		}
	}
	return names
}

// hide gives the source's own names of the library others, or takes them away again.
func (o Options) hide(yes bool, names []string) string {
	var s strings.Builder
	for _, n := range names {
		switch {
		case o.Linked || o.separate || conditional(n, o.text):
		case yes:
			fmt.Fprintf(&s, "#define %s tested_%s\n", n, n)
		default:
			fmt.Fprintf(&s, "#undef %s\n", n)
		}
	}
	if s.Len() > 0 && yes {
		return "/* The source's own, not those of headers that it does not include. */\n" + s.String()
	}
	return s.String()
}

// otherwise are functions of headers that come after the source, of another type than int f(), which a compiler
// guesses of what nothing declares and it does not know itself.
var otherwise = map[string]bool{
	"lseek": true, "read": true, "write": true, "pread": true, "pwrite": true, "readlink": true, "getcwd": true,
	"sleep": true, "alarm": true, "getuid": true, "geteuid": true, "getgid": true, "getegid": true, "sysconf": true,
	"atof": true, "atol": true, "atoll": true, "getenv": true, "qsort": true, "bsearch": true, "srand": true,
	"random": true, "srandom": true, "drand48": true, "lrand48": true, "mrand48": true, "srand48": true,
}

// guessed are those that the source calls and nothing declares.
func (o Options) guessed() (names []string) {
	for _, n := range o.Undeclared {
		if otherwise[n] {
			names = append(names, n)
		}
	}
	return names
}

// allocating are the functions of parts/failing.c.
var allocating = []string{"malloc", "calloc", "realloc", "strdup", "strndup"}

// wraps reports whether the linker is to lead allocations to parts/failing.c: where tests make one fail, and
// the program has files that the runner does not include. Every file's allocations count then, as in a replay.
func (o Options) wraps(tests []*written) bool {
	return (o.Linked || o.separate || len(o.Sources) > 0) &&
		slices.ContainsFunc(tests, func(t *written) bool { return t.fails > 0 })
}

// wrapping are the linker's flags for that.
var wrapping = func() (flags []string) {
	for _, n := range allocating {
		flags = append(flags, "-Wl,--wrap="+n)
	}
	return flags
}()

// isWrapped reports whether a runner's text wants them.
func isWrapped(runner []byte) bool {
	return bytes.Contains(runner, []byte("#define malloc __real_malloc\n"))
}

// declared are their declarations, of any name.
var declared = map[string]string{
	"malloc":  "void *%s(__SIZE_TYPE__ n)",
	"calloc":  "void *%s(__SIZE_TYPE__ n, __SIZE_TYPE__ size)",
	"realloc": "void *%s(void *p, __SIZE_TYPE__ n)",
	"strdup":  "char *%s(const char *s)",
	"strndup": "char *%s(const char *s, __SIZE_TYPE__ n)",
}

// onStreams are the functions of parts/streams.c.
var onStreams = []string{"fclose", "fflush", "fputs", "fwrite", "fread", "fseek", "ftell", "ferror", "clearerr",
	"rewind"}

// undefined reports whether a source takes a macro of that name away.
func undefined(name, source string) bool {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*undef[ \t]+` + name + `\b`).MatchString(source)
}

// conditional reports whether a source asks if there is a macro of that name: one that
// the tests define would be the answer, and take what stands behind the question away.
func conditional(name, source string) bool {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:ifn?def[ \t]+|(?:el)?if\b.*\bdefined[ \t]*\(?[ \t]*)` + name + `\b`).
		MatchString(source)
}
