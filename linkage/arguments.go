package linkage

import (
	"regexp"
	"strconv"

	"klabel/csource"
)

// How many arguments a program takes stands in its main: it compares their number
// with constants, and indexes them with constants.

const (
	openArguments     = 2  // where main does not say
	mostOpenArguments = 16 // however many main takes
)

// number is a constant, or the sum that a macro of one more makes of it.
const number = `\(*\s*(\d+)\s*(?:\+\s*(\d+)\s*)?`

// argumentCount is the largest number of arguments that main asks for, with names
// argc and argv for its parameters.
func argumentCount(u *csource.Unit, f *csource.Function) int {
	most := openArguments
	text := string(u.Text[f.Body.Start:f.Body.End])
	if len(f.Params) > 0 && f.Params[0].Name() != "" {
		argc := `\b` + regexp.QuoteMeta(f.Params[0].Name()) + `\b`
		for _, m := range regexp.MustCompile(argc+`\s*(==|!=|<=|>=|<|>)\s*`+number).FindAllStringSubmatch(text, -1) {
			n := sumOf(m[2], m[3]) - 1 // the program's name is counted too
			if m[1] == "<=" || m[1] == ">" {
				n++ // one more is another case
			}
			most = max(most, n)
		}
	}
	if len(f.Params) > 1 && f.Params[1].Name() != "" {
		argv := `\b` + regexp.QuoteMeta(f.Params[1].Name()) + `\s*\[\s*`
		for _, m := range regexp.MustCompile(argv+number+`\s*\)*\]`).FindAllStringSubmatch(text, -1) {
			most = max(most, sumOf(m[1], m[2]))
		}
	}
	return min(most, mostOpenArguments)
}

func sumOf(a, b string) int {
	n, _ := strconv.Atoi(a)
	k, _ := strconv.Atoi(b)
	return min(n, 1<<10) + min(k, 1<<10)
}
