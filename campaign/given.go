package campaign

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"klabel/input"
	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
	"klabel/report"
)

// How what a driver gave begins, by what a finding may rest on it.
const (
	givenNull = "NULL for "
	givenStub = "a result for "
)

// mostGiven bounds what is kept of one test, mostTold what a sentence says of it.
const (
	mostGiven = 12
	mostTold  = 3
)

// given says what the driver of an entry made up in a test that shows an error, and
// no caller need give: NULL, memory of sizes that klabel chose, results of functions
// that it stands in for.
func given(e entry, t *ktest.Test, v label.Verdict) []string {
	if e.ownMain() || e.inputs == nil || !v.Outcome.RuntimeError() && !strings.HasPrefix(v.Reason, countedAll) {
		return nil
	}
	d, err := e.inputs.Decode(t)
	if err != nil {
		return nil // a test of another driver: nothing is known
	}
	var out []string
	say := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	var look func(v *input.Value)
	look = func(v *input.Value) {
		if v == nil {
			return
		}
		if v.Type.Kind == input.Pointer {
			switch {
			case v.Null:
				say(givenNull + v.Name)
			case v.To != nil && v.Target.File == "" && !v.Target.Stream && !e.told(v.Name):
				say(sized(v))
			}
		}
		for _, p := range v.Parts {
			look(p)
		}
		look(v.To)
	}
	for _, v := range d.Values {
		look(v)
	}
	for _, c := range d.Calls {
		if c.Static || !strings.HasPrefix(c.Function, "klabel_") {
			say(givenStub + c.Function)
		}
	}
	return out[:min(len(out), mostGiven)]
}

// told reports whether the user said how many items a pointer has.
func (e entry) told(name string) bool {
	return slices.ContainsFunc(e.assumed, func(a string) bool { return strings.HasPrefix(a, "--array "+name+":") })
}

// sized is how much memory there is behind a pointer.
func sized(v *input.Value) string {
	n, what := int64(1), "item"
	if t := v.To.Type; t.Kind == input.Array {
		if n = t.Len + v.To.Zeros; v.Count >= 0 {
			n = int64(v.Count)
		}
		if t.Elem != nil && t.Elem.Char {
			what = "character"
		}
	}
	if v.To.Text { // as long as it is
		n = int64(slices.Index(append(v.To.Bytes[:len(v.To.Bytes):len(v.To.Bytes)], 0), 0)) + 1
	}
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s behind %s", n, what, v.Name)
}

// shownBy says which test shows a finding, and what makes it doubtful.
func shownBy(f *report.Finding, t report.TestRow) {
	f.Test, f.Path, f.Entry, f.Count, f.Given = t.Name, t.File, t.Entry, 1, restsOn(*f, t.Given)
	f.Doubt = doubtOf(t.Entry)
	if len(f.Given) > 0 {
		told := "given " + strings.Join(f.Given[:min(len(f.Given), mostTold)], ", ")
		if n := len(f.Given) - mostTold; n > 0 {
			told += fmt.Sprintf(" and %d more", n)
		}
		f.Doubt = strings.TrimPrefix(f.Doubt+"; "+told, "; ")
	}
}

// doubtOf says what makes a finding of an entry doubtful: what it sets may be a
// state that the program never gets into.
func doubtOf(entry string) string {
	switch _, variant, _ := strings.Cut(entry, "+"); variant {
	case "state":
		return "it sets variables freely, perhaps to a state that the program never gets into"
	case "sharing":
		return "it lets pointers share objects freely, perhaps as the program never does"
	}
	return ""
}

var (
	ofNull   = regexp.MustCompile(`(?i)null`)
	segfault = regexp.MustCompile(`SEGV|signal 11`)
)

// restsOn are those of the things given that a finding may rest on: of a label the
// pointers that it names, of an error of memory what the driver's memory is, and
// whatever functions returned that the driver stands in for.
func restsOn(f report.Finding, given []string) (out []string) {
	text := cmp.Or(f.Message, f.Kind)
	wild := segfault.MatchString(text) // whatever it began at
	null, memory := wild || ofNull.MatchString(f.Kind+text), wild || strings.Contains(text, replayer.DriversMemory)
	for _, g := range given {
		pointer, isNull := strings.CutPrefix(g, givenNull)
		switch {
		case isNull && null && (f.Function == "" || strings.Contains(f.Message, pointer)):
			out = append(out, g)
		case strings.HasPrefix(g, givenStub), !isNull && memory:
			out = append(out, g)
		}
	}
	return out
}
