package drivers

import (
	"slices"

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
