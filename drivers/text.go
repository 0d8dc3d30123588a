package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// ended are the functions of the C library that read texts to their ends, by the places of these among the
// arguments.
var ended = map[string][]int{
	"strlen": {0}, "strcpy": {1}, "stpcpy": {1}, "strcat": {0, 1}, "strncat": {0}, "strcmp": {0, 1}, "strcoll": {0, 1},
	"strcasecmp": {0, 1}, "strchr": {0}, "strrchr": {0}, "index": {0}, "rindex": {0}, "strchrnul": {0},
	"strstr": {0, 1}, "strcasestr": {0, 1}, "strpbrk": {0, 1}, "strspn": {0, 1}, "strcspn": {0, 1}, "strtok": {0, 1},
	"strtok_r": {0, 1}, "strsep": {1}, "strdup": {0}, "atoi": {0}, "atol": {0}, "atoll": {0}, "atof": {0},
	"strtol": {0}, "strtoul": {0}, "strtoll": {0}, "strtoull": {0}, "strtod": {0}, "strtof": {0}, "fopen": {0, 1},
	"open": {0}, "puts": {0}, "fputs": {0}, "perror": {0}, "getenv": {0}, "sscanf": {0, 1}, "printf": {0},
	"fprintf": {1}, "sprintf": {1}, "snprintf": {2}, "vsnprintf": {2}, "vfprintf": {1},
}

// ends reports whether a function, or what it hands a pointer on to, reads a text to its end: memory without
// one is none, whatever a number says of it.
func (a *analysis) ends(f *csource.Function, name string, depth int) bool {
	for _, to := range a.of(f.Name).sizes.passed[name] {
		g := a.funcs[to.function]
		switch {
		case g == nil:
			if slices.Contains(ended[to.function], to.index) {
				return true
			}
		case depth > 0 && to.index < len(g.Params) && a.ends(g, g.Params[to.index].Name(), depth-1):
			return true
		}
	}
	return false
}

// ends is the same of a pointer that the driver builds.
func (b *builder) ends(name string) bool {
	return b.inFunctions(name, func(f *csource.Function, name string) bool { return b.an.ends(f, name, 3) })
}

// mostSpelt bounds the characters that a text gets for what it is compared with.
const mostSpelt = 48

// spells notes how long the texts are that a name is given with to what tells two of them apart: strcmp(s, "name"), or
// a function of the program's own that returns a number.
func (s *sizes) spells(x *cc.PostfixExpression, args []cc.ExpressionNode) {
	t := x.PostfixExpression.Type()
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	if f, ok := t.(*cc.FunctionType); !ok || f.IsVariadic() || !cc.IsIntegerType(f.Result()) {
		return
	}
	var longest int64
	for _, a := range args {
		if v, ok := a.Value().(cc.StringValue); ok {
			longest = max(longest, int64(len(v))-1) // its end is in it
		}
	}
	if longest == 0 || longest > mostSpelt {
		return
	}
	for _, a := range args {
		if p, ok := a.Type().(*cc.PointerType); ok && p.Elem().Kind() == cc.Char {
			if name := nameOf(a); name != "" {
				s.spelt[name] = max(s.spelt[name], longest)
			}
		}
	}
}

// spelt is the length of the longest of them, for a text that the driver builds.
func (b *builder) spelt(name string, depth int) int64 {
	return b.behind(name, depth, asking{func(s *sizes) map[string]int64 { return s.spelt }, maxBound})
}
