package instrument

import (
	"fmt"
	"regexp"
	"strings"
)

// An entry holds what it points its function to in arrays on its stack. A replay's
// sanitizers see who goes beyond one; where the fuzzer runs the program nobody would,
// and what it finds behind that is lost. So there they are blocks of memory that it
// guards.

var (
	entryBody  = regexp.MustCompile(`(?m)void klabel_entry_\w+\(void\)\n\{\n((?s).*?)^\}\n`)
	entryArray = regexp.MustCompile(`(?m)^    ([A-Za-z_][\w *]*[ *])(\w+)((?:\[\d+\])+);\n`)
)

// guardedArrays makes the arrays of the entries in a text blocks.
func guardedArrays(text string) string {
	return entryBody.ReplaceAllStringFunc(text, func(entry string) string {
		var names []string
		body := entryArray.ReplaceAllStringFunc(entry, func(line string) string {
			m := entryArray.FindStringSubmatch(line)
			name := m[2]
			member := regexp.MustCompile(`(\.|->)\s*` + name + `\b`)
			if strings.Contains(" "+m[1], " static ") || member.MatchString(entry) {
				return line
			}
			names = append(names, name)
			return fmt.Sprintf("    %s(*klabel_at_%s)%s = klabel_fuzz_array(sizeof *klabel_at_%s);\n", m[1], name, m[3],
				name)
		})
		var before, after strings.Builder
		for _, n := range names {
			fmt.Fprintf(&before, "#define %s (*klabel_at_%s)\n", n, n)
			fmt.Fprintf(&after, "#undef %s\n", n)
		}
		at := strings.Index(body, "{\n") + 2
		return body[:at] + before.String() + body[at:] + after.String()
	})
}
