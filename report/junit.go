package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"klabel/label"
)

// The elements that Ant's and Jenkins's readers of JUnit's form have in common,
// with everything that the stricter of them wants.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string      `xml:"name,attr"`
		ID         int         `xml:"id,attr"`
		Package    string      `xml:"package,attr"`
		Tests      int         `xml:"tests,attr"`
		Failures   int         `xml:"failures,attr"`
		Errors     int         `xml:"errors,attr"`
		Time       string      `xml:"time,attr"`
		Timestamp  string      `xml:"timestamp,attr"`
		Hostname   string      `xml:"hostname,attr"`
		Properties struct{}    `xml:"properties"`
		Cases      []junitCase `xml:"testcase"`
		Out        string      `xml:"system-out"`
		Err        string      `xml:"system-err"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		Time      string        `xml:"time,attr"`
		Failure   *junitProblem `xml:"failure"`
		Error     *junitProblem `xml:"error"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// junitXML writes the tests: those of the suite pass, those that show an error
// fail, each error once. A test suite is an entry.
func junitXML(w io.Writer, r *Result, o Options) error {
	var all junitSuites
	began := time.Unix(0, 0)
	if len(r.Runs) > 0 {
		began = r.Runs[0].Start
	}
	at := map[string]int{}
	seconds := map[string]float64{}
	for _, t := range r.Suite {
		c := junitCase{Name: t.Name, ClassName: r.entryName(t.Entry), Time: secondsText(t.Seconds)}
		if t.Case != "" {
			c.Name = t.Case
		}
		i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Test == t.Name })
		if !t.Kept && i < 0 {
			continue
		}
		if _, ok := at[c.ClassName]; !ok {
			at[c.ClassName] = len(all.Suites)
			all.Suites = append(all.Suites, junitSuite{Name: c.ClassName, ID: len(all.Suites), Package: r.Program,
				Timestamp: began.UTC().Format("2006-01-02T15:04:05"), Hostname: "localhost"})
		}
		s := &all.Suites[at[c.ClassName]]
		if !t.Kept {
			f := r.Findings[i]
			p := &junitProblem{Message: f.sentence(), Type: f.Kind, Text: f.place(o) + ": " + f.sentence() + "\n" +
				t.File}
			if f.Doubt != "" {
				p.Text += "\ndoubtful: " + f.Doubt
			}
			if t.Outcome == label.Aborted {
				c.Failure = p
				s.Failures++
			} else {
				c.Error = p
				s.Errors++
			}
		}
		s.Cases = append(s.Cases, c)
		s.Tests++
		seconds[c.ClassName] += t.Seconds
		s.Time = secondsText(seconds[c.ClassName])
	}
	return writeXML(w, "", all)
}

func secondsText(s float64) string { return fmt.Sprintf("%.3f", s) }

// entryName is what people see of an entry: the program itself has no other.
func (r *Result) entryName(entry string) string {
	if entry == "" {
		return r.Program
	}
	return entry
}

// sentence says what is wrong.
func (f Finding) sentence() string {
	if f.Message == "" || strings.HasPrefix(f.Message, f.Kind) {
		return strings.TrimSpace(f.Kind + strings.TrimPrefix(f.Message, f.Kind))
	}
	return f.Kind + ": " + f.Message
}

// place says where.
func (f Finding) place(o Options) string {
	switch {
	case f.File == "":
		return "somewhere"
	case f.Line == 0:
		return o.file(f.File)
	}
	return fmt.Sprintf("%s:%d", o.file(f.File), f.Line)
}
