package drivers

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"klabel/fault"
	"klabel/input"
)

// relations answers what the user, or a guess, says of a value by its name.
type relations struct {
	o      *Options
	counts map[string]string // pointer -> count
	guess  map[string]bool
	upTo   map[string]bool // guessed counts that an index comes to: the last item's, not the number
	used   map[string]bool // relations that met their value
}

func newRelations(o *Options) *relations {
	r := &relations{o: o, counts: map[string]string{}, guess: map[string]bool{}, upTo: map[string]bool{},
		used: map[string]bool{}}
	for _, a := range o.Arrays {
		r.counts[a.Name] = a.Text
	}
	return r
}

// countName matches integers that tell how many items a pointer has.
var countName = regexp.MustCompile(`^(n|m|len|length|size|sz|count|cnt|num|nb|nelems?|nitems|nmemb|capacity|cap)$|` +
	`(_len|_length|_size|_sz|_count|_cnt|_num|_n|Len|Length|Size|Count|Num|Sz|Cnt|_capacity|Capacity)$|` +
	`^(n|num|nb|len|size)_|[a-z](len|size|siz|sz|cnt)$|^n[a-z]+s$`)

// mentions reports whether any relation speaks of a name.
func (r *relations) mentions(name string) bool {
	texts := slices.Concat(r.o.Strings, r.o.NonNull, r.o.Assumes)
	for _, l := range [][]Relation{r.o.Arrays, r.o.Aliases} {
		for _, x := range l {
			texts = append(texts, x.Name, x.Text)
		}
	}
	for _, x := range r.o.Ranges {
		texts = append(texts, x.Name, x.Low, x.High)
	}
	for _, t := range texts {
		if contains(identifier.FindAllString(t, -1), name) {
			return true
		}
	}
	return false
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// countOf is the number of items of a pointer: the Name of an integer, or a
// constant.
func (r *relations) countOf(name string) (count string, guess bool, err error) {
	c, ok := r.counts[name]
	if !ok {
		return "", false, nil
	}
	r.used["--array "+name] = true
	return c, r.guess[name], nil
}

func (r *relations) isString(name string) bool {
	return r.list("--string ", r.o.Strings, name)
}

func (r *relations) nonNull(name string) bool {
	return r.list("--nonnull ", r.o.NonNull, name)
}

func (r *relations) list(flag string, names []string, name string) bool {
	if contains(names, name) {
		r.used[flag+name] = true
		return true
	}
	return false
}

func (r *relations) aliasesOf(name string) (out []string) {
	for _, a := range r.o.Aliases {
		if a.Text == name {
			r.used["--alias "+a.Name+","+a.Text] = true
			out = append(out, a.Name)
		}
	}
	return out
}

func (r *relations) hasRange(name string) bool {
	for _, x := range r.o.Ranges {
		if x.Name == name {
			return true
		}
	}
	return false
}

// rangesOf are the conditions of the ranges given for a value.
func (r *relations) rangesOf(name, lv string, t *input.Type) (conds []string, err error) {
	for _, x := range r.o.Ranges {
		if x.Name != name {
			continue
		}
		flag := fmt.Sprintf("--range %s:%s..%s", x.Name, x.Low, x.High)
		r.used[flag] = true
		if t.Kind == input.Float {
			// Picked within the range already, where picked.
			conds = append(conds, fmt.Sprintf("((%s >= %s) & (%s <= %s))", lv, constant(x.Low), lv, constant(x.High)))
			continue
		}
		lo, errLo := strconv.ParseInt(constant(x.Low), 0, 64)
		hi, errHi := strconv.ParseInt(constant(x.High), 0, 64)
		if errLo == nil && errHi == nil && lo > hi {
			return nil, &RelationError{flag, "no value lies between them: no input exists", true}
		}
		if t.Kind == input.Int && !t.Signed && errHi == nil && hi < 0 {
			return nil, &RelationError{flag, name + " is unsigned: no input exists", true}
		}
		switch {
		case t.Kind == input.Int && !t.Signed && errLo == nil && lo <= 0:
			conds = append(conds, fmt.Sprintf("(%s <= %s)", lv, constant(x.High)))
		default:
			conds = append(conds, fmt.Sprintf("((%s >= %s) & (%s <= %s))", lv, constant(x.Low), lv, constant(x.High)))
		}
	}
	return conds, nil
}

// numericRange is the range of a number as two numbers, nil if there is none.
func (r *relations) numericRange(name string) *[2]float64 {
	for _, x := range r.o.Ranges {
		if x.Name != name {
			continue
		}
		r.used[fmt.Sprintf("--range %s:%s..%s", x.Name, x.Low, x.High)] = true
		out := [2]float64{math.Inf(-1), math.Inf(1)}
		if v, err := strconv.ParseFloat(constant(x.Low), 64); err == nil {
			out[0] = v
		}
		if v, err := strconv.ParseFloat(constant(x.High), 64); err == nil {
			out[1] = v
		}
		return &out
	}
	return nil
}

// limits are the constants of <limits.h> and <stdint.h>: the driver's text is
// preprocessed already, so that macros mean nothing in it.
var limits = map[string]string{
	"INT_MAX": "2147483647", "INT_MIN": "(-2147483647 - 1)", "UINT_MAX": "4294967295u",
	"LONG_MAX": "9223372036854775807L", "LONG_MIN": "(-9223372036854775807L - 1)",
	"ULONG_MAX": "18446744073709551615uL",
	"LLONG_MAX": "9223372036854775807LL", "LLONG_MIN": "(-9223372036854775807LL - 1)",
	"ULLONG_MAX": "18446744073709551615uLL",
	"SHRT_MAX":   "32767", "SHRT_MIN": "(-32768)", "USHRT_MAX": "65535",
	"CHAR_MAX": "127", "CHAR_MIN": "(-128)", "SCHAR_MAX": "127", "SCHAR_MIN": "(-128)", "UCHAR_MAX": "255",
	"INT8_MAX": "127", "INT8_MIN": "(-128)", "UINT8_MAX": "255",
	"INT16_MAX": "32767", "INT16_MIN": "(-32768)", "UINT16_MAX": "65535",
	"INT32_MAX": "2147483647", "INT32_MIN": "(-2147483647 - 1)", "UINT32_MAX": "4294967295u",
	"INT64_MAX": "9223372036854775807L", "INT64_MIN": "(-9223372036854775807L - 1)",
	"UINT64_MAX": "18446744073709551615uL",
	"SIZE_MAX":   "18446744073709551615uL", "NULL": "((void *)0)", "true": "1", "false": "0",
}

var word = regexp.MustCompile(`\b[A-Za-z_][A-Za-z0-9_]*\b`)

// constant puts the values of well-known macros into an expression.
func constant(expr string) string {
	return word.ReplaceAllStringFunc(strings.TrimSpace(expr), func(w string) string {
		if v, ok := limits[w]; ok {
			return v
		}
		return w
	})
}

// expr is the C of a count, and its type when the value is an input.
func (r *relations) expr(b *builder, count string) (string, *input.Type) {
	if e, ok := b.exprs[count]; ok {
		return e, b.intTypes[count]
	}
	// A field of something built: "s->len" lies in "*s".
	if base, field, ok := strings.Cut(count, "->"); ok && !strings.ContainsAny(field, "->.") {
		if e, ok := b.exprs["*"+base]; ok {
			return e + "." + field, nil
		}
	}
	if i := strings.LastIndex(count, "."); i > 0 {
		if e, ok := b.exprs[count[:i]]; ok {
			return e + count[i:], nil
		}
	}
	return constant(count), nil
}

// isLocal reports whether a count is a field that exists by now.
func (r *relations) isLocal(b *builder, count string) bool {
	if _, ok := b.exprs[count]; ok && !strings.ContainsAny(count, ".>") {
		return false // a parameter: limited with the others, at the end
	}
	e, _ := r.expr(b, count)
	return e != constant(count)
}

// any reports whether there is a relation that unused looks for.
func (r *relations) any() bool {
	return len(r.o.Arrays)+len(r.o.Strings)+len(r.o.NonNull)+len(r.o.Ranges)+len(r.o.Aliases) > 0
}

// unused is the first relation whose value neither the entry nor anything
// elsewhere met.
func (r *relations) unused(known []string, elsewhere map[string]bool) error {
	check := func(flag, text, name string) error {
		if r.used[flag] || r.used[text] || elsewhere[flag] || elsewhere[text] {
			return nil
		}
		reason := fmt.Sprintf("the function has no input %q", name)
		if n := fault.Nearest(name, known); len(n) > 0 {
			reason += "; is one of these meant: " + strings.Join(n, ", ") + "?"
		}
		return &RelationError{Relation: text, Reason: reason}
	}
	for _, x := range r.o.Arrays {
		if err := check("--array "+x.Name, "--array "+x.Name+":"+x.Text, x.Name); err != nil {
			return err
		}
	}
	for _, x := range r.o.Strings {
		if err := check("", "--string "+x, x); err != nil {
			return err
		}
	}
	for _, x := range r.o.NonNull {
		if err := check("", "--nonnull "+x, x); err != nil {
			return err
		}
	}
	for _, x := range r.o.Ranges {
		if err := check("", fmt.Sprintf("--range %s:%s..%s", x.Name, x.Low, x.High), x.Name); err != nil {
			return err
		}
	}
	for _, x := range r.o.Aliases {
		if err := check("", "--alias "+x.Name+","+x.Text, x.Text); err != nil {
			return err
		}
	}
	return nil
}

// ParseRelation reads NAME:TEXT.
func ParseRelation(flag, s string) (Relation, error) {
	name, text, ok := strings.Cut(s, ":")
	if !ok || strings.TrimSpace(name) == "" || strings.TrimSpace(text) == "" {
		return Relation{}, &RelationError{Relation: flag + " " + s, Reason: "want NAME:COUNT"}
	}
	return Relation{strings.TrimSpace(name), strings.TrimSpace(text)}, nil
}

// ParseRange reads NAME:LOW..HIGH.
func ParseRange(s string) (Range, error) {
	name, text, ok := strings.Cut(s, ":")
	lo, hi, ok2 := strings.Cut(text, "..")
	r := Range{strings.TrimSpace(name), strings.TrimSpace(lo), strings.TrimSpace(hi)}
	if !ok || !ok2 || r.Name == "" || r.Low == "" || r.High == "" {
		return Range{}, &RelationError{Relation: "--range " + s, Reason: "want NAME:LOW..HIGH"}
	}
	return r, nil
}

// ParseAlias reads P,Q.
func ParseAlias(s string) (Relation, error) {
	p, q, ok := strings.Cut(s, ",")
	r := Relation{strings.TrimSpace(p), strings.TrimSpace(q)}
	if !ok || r.Name == "" || r.Text == "" || r.Name == r.Text {
		return Relation{}, &RelationError{Relation: "--alias " + s, Reason: "want two pointers, P,Q"}
	}
	return r, nil
}

// ParseStub reads FUNCTION=symbolic, FUNCTION=mock or FUNCTION=concrete:VALUE.
func ParseStub(s string) (Stub, error) {
	f, how, ok := strings.Cut(s, "=")
	value, concrete := strings.CutPrefix(strings.TrimSpace(how), "concrete:")
	switch {
	case !ok || strings.TrimSpace(f) == "" || !concrete && how != "symbolic" && how != "mock" ||
		concrete && value == "":
		return Stub{}, &RelationError{Relation: "--stub " + s,
			Reason: "want FUNCTION=symbolic, FUNCTION=mock or FUNCTION=concrete:VALUE"}
	case !concrete:
		value = ""
	}
	return Stub{strings.TrimSpace(f), value, !concrete && how == "mock"}, nil
}
