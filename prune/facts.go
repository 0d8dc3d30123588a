package prune

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// interval is a range of values; Known is false if nothing is known.
type interval struct {
	Low, High string // decimal
	Known     bool
}

// facts are ranges of variables that Eva proved, by place.
type facts struct {
	entry map[*function]string // a C condition that holds at the start of the function
	at    map[*labelSite]string
}

func newFacts(pts []point, values map[int]interval) *facts {
	f := &facts{entry: map[*function]string{}, at: map[*labelSite]string{}}
	for i, q := range pts {
		v, ok := values[i]
		if !ok || !v.Known {
			continue
		}
		cond := fmt.Sprintf("%s <= %s <= %s", v.Low, q.expr, v.High)
		if q.entry != nil {
			f.entry[q.entry] = and(f.entry[q.entry], cond)
		} else {
			f.at[q.at] = and(f.at[q.at], cond)
		}
	}
	return f
}

func and(a, b string) string {
	if a == "" {
		return b
	}
	return a + " && " + b
}

var (
	reShow  = regexp.MustCompile(`^\s*(?:\[eva\] \S+ )?\s*Frama_C_show_each_klabel_(\d+):(.*)$`)
	reSet   = regexp.MustCompile(`^\{(-?\d+(?:; -?\d+)*)\}$`)
	reRange = regexp.MustCompile(`^\[(-?\d+)\.\.(-?\d+)\](?:,\d+%\d+)?$`)
)

// readFacts joins all the values that Eva printed for each place. A value that
// is not a set or a range of numbers makes the place's values unknown.
func readFacts(log []byte) map[int]interval {
	out := map[int]interval{}
	lines := strings.Split(string(log), "\n")
	for i := 0; i < len(lines); i++ {
		m := reShow.FindStringSubmatch(lines[i])
		if m == nil {
			if strings.Contains(lines[i], "Frama_C_show_each_klabel_") {
				return map[int]interval{} // printed in a form that is not known: trust nothing
			}
			continue
		}
		text := m[2]
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "  ") &&
			!strings.Contains(lines[i+1], "Frama_C_show_each") {
			i++
			text += " " + strings.TrimSpace(lines[i])
		}
		n, _ := strconv.Atoi(m[1])
		v := parseValue(strings.TrimSpace(text))
		if old, ok := out[n]; ok {
			v = join(old, v)
		}
		out[n] = v
	}
	return out
}

func parseValue(s string) interval {
	if m := reRange.FindStringSubmatch(s); m != nil {
		return interval{m[1], m[2], true}
	}
	m := reSet.FindStringSubmatch(s)
	if m == nil {
		return interval{}
	}
	var v interval
	for i, n := range strings.Split(m[1], "; ") {
		x := interval{n, n, true}
		if i == 0 {
			v = x
		} else {
			v = join(v, x)
		}
	}
	return v
}

func join(a, b interval) interval {
	if !a.Known || !b.Known {
		return interval{}
	}
	num := func(s string) *big.Int { n, _ := new(big.Int).SetString(s, 10); return n }
	if num(b.Low).Cmp(num(a.Low)) < 0 {
		a.Low = b.Low
	}
	if num(b.High).Cmp(num(a.High)) > 0 {
		a.High = b.High
	}
	return a
}
