package ctests

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"klabel/disk"
	"klabel/input"
)

// maxFeatures bounds the words of a test's name that tell of its inputs.
const maxFeatures = 2

// feature names what is special about the inputs of a test, most telling first:
// the function, then NULL, empty, negative and largest values, short numbers, and what is 0.
func feature(t *input.Test, d *input.Driver) string {
	var found []string
	for _, special := range []func(*input.Value) string{null, empty, negative, largest, short, zero} {
		for _, v := range t.Values[min(d.Globals, len(t.Values)):] {
			if words := special(v); words != "" && len(found) < maxFeatures {
				found = append(found, words)
			}
		}
	}
	return strings.Join(append([]string{d.Function}, found...), "_")
}

func null(v *input.Value) string {
	if v.Type.Kind == input.Pointer && v.Null {
		return "null_" + v.Name
	}
	return ""
}

func empty(v *input.Value) string {
	if v.Type.Kind == input.Pointer && v.To != nil && v.To.Text && (len(v.To.Bytes) == 0 || v.To.Bytes[0] == 0) {
		return "empty_" + v.Name
	}
	return ""
}

// countable reports whether a value is an integer that is read as a number.
func countable(v *input.Value) bool {
	return v.Type.Kind == input.Int && !v.Type.Char && v.Type.Size <= 8 && len(v.Bytes) > 0
}

func negative(v *input.Value) string {
	if countable(v) && v.Type.Signed && v.Integer() < 0 {
		return "negative_" + v.Name
	}
	return ""
}

func largest(v *input.Value) string {
	if countable(v) && strings.HasSuffix(integer(v.Bytes, v.Type), "_MAX") {
		return "largest_" + v.Name
	}
	return ""
}

// shortNumber is the largest that a name tells.
const shortNumber = 9999

func short(v *input.Value) string {
	if countable(v) && v.Integer() > 0 && v.Integer() <= shortNumber {
		return fmt.Sprintf("%s_%d", v.Name, v.Integer())
	}
	return ""
}

func zero(v *input.Value) string {
	if countable(v) && v.Integer() == 0 {
		return "zero_" + v.Name
	}
	return ""
}

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

// name gives each test a name of its own that the source does not use: the one
// that it has had in the folder already, if that still says what is special.
func name(tests []*written, source string, before map[string]Place) {
	taken := map[string]bool{}
	for _, w := range identifier.FindAllString(source, -1) {
		taken[w] = true
	}
	bases := make([]string, len(tests))
	named := make([]bool, len(tests))
	for i, t := range tests {
		base := "test_" + t.name
		if _, variant, ok := strings.Cut(t.Entry, "+"); ok {
			base = "test_" + t.tested() + "_" + variant + strings.TrimPrefix(t.name, t.tested())
		}
		bases[i] = newBody().ident(base)
		old := before[fmt.Sprintf("test%06d", t.Number)].Function
		rest, ok := strings.CutPrefix(old, bases[i])
		if ok && numbered.MatchString(rest) && !taken[old] {
			t.name, named[i], taken[old] = old, true, true
		}
	}
	for i, t := range tests {
		if named[i] {
			continue
		}
		t.name = bases[i]
		for k := 2; taken[t.name]; k++ {
			t.name = fmt.Sprintf("%s_%d", bases[i], k)
		}
		taken[t.name] = true
	}
}

var numbered = regexp.MustCompile(`^(_\d+)?$`)

// Place is where a test stands as C.
type Place struct {
	File     string
	Function string
}

var placed = regexp.MustCompile(`(?s)/\* (test\d{6,})\b.*?\*/\s+(?:static\s+void\s+|START_TEST\s*\(\s*)(\w+)`)

// Places finds the tests that Write has left in a folder and in those below it,
// by the names of their .ktest files: "test000017".
func Places(dir string) map[string]Place {
	out := map[string]Place{}
	for _, pattern := range []string{"test_*.c", "*/test_*.c", "*/*/test_*.c", "*/*/*/test_*.c"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is right
		for _, f := range files {
			text, err := disk.Read(f)
			if err != nil {
				continue // who asks shows less
			}
			for _, m := range placed.FindAllStringSubmatch(string(text), -1) {
				out[m[1]] = Place{f, m[2]}
			}
		}
	}
	return out
}
