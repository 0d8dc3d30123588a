package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"klabel/fault"
)

// Options say how something is shown. A format takes what concerns it.
type Options struct {
	Width int    // columns of the terminal; 0: 80
	Dir   string // where the reader is: files below it are named from there
	All   bool   // every function, not only the worst
	Brief bool   // the summary alone, without rows of labels and tests
}

// Renderer writes one kind of value in one format.
type Renderer[T any] interface {
	Render(w io.Writer, v T) error
}

// Format is a row of a table of formats.
type Format[T any] struct {
	Name string
	Ext  string // of a file, with the dot
	Help string // in one line
	New  func(Options) Renderer[T]
}

// Formats is a table of formats, the default one first.
type Formats[T any] []Format[T]

// Find returns the format of that name.
func (fs Formats[T]) Find(name string) (Format[T], error) {
	for _, f := range fs {
		if f.Name == name {
			return f, nil
		}
	}
	return Format[T]{}, fmt.Errorf("unknown format %q: want %s", name, fs.names(" or "))
}

// Names lists the formats for a flag's help.
func (fs Formats[T]) Names() string { return fs.names(" or ") }

func (fs Formats[T]) names(last string) string {
	var out []string
	for _, f := range fs {
		out = append(out, f.Name)
	}
	if len(out) < 2 {
		return strings.Join(out, "")
	}
	return strings.Join(out[:len(out)-1], ", ") + last + out[len(out)-1]
}

// Results are the formats of a campaign's result.
var Results = Formats[*Result]{
	{"text", ".txt", "tables for a terminal", shown(resultText)},
	{"json", ".json", "everything, for programs", func(o Options) Renderer[*Result] { return resultJSON{o} }},
	{"html", ".html", "one page that needs nothing else, with the source and every label", textOf(htmlPage)},
	{"markdown", ".md", "a comment for a pull request", shown(resultMarkdown)},
	{"csv", ".csv", "a label a row, for spreadsheets", shown(resultCSV)},
	{"lcov", ".info", "lcov's tracefile; labels are branches", textOf(lcovText)},
	{"cobertura", ".cobertura.xml", "Cobertura's coverage-04, for GitLab and others; labels are branches", textOf(coberturaXML)},
	{"sonarqube", ".sonarqube.xml", "SonarQube's generic coverage; labels are branches", textOf(sonarXML)},
	{"junit", ".junit.xml", "the tests; those that show an error fail", textOf(junitXML)},
	{"sarif", ".sarif", "SARIF 2.1.0: errors that tests show, labels that no test covers", textOf(sarifJSON)},
	{"codequality", ".codequality.json", "GitLab's code quality: errors that tests show, open labels", textOf(codeQuality)},
	{"exclusions", ".exclusions.patch", "a patch with lcov's and gcovr's marks where labels are proved infeasible", textOf(exclusionsPatch)},
	{"justification", ".justification.json", "each infeasible label with its proof, for review", textOf(justifications)},
	{"evidence", ".evidence.md", "MC/DC: each condition with its pair of tests, or why there is none, to be signed",
		shown(evidenceMarkdown)},
	{"evidence-json", ".evidence.json", "the same for programs", textOf(evidenceJSON)},
}

// Summaries are those of them that a command prints when it has finished.
var Summaries = Results[:2]

// LabelLists are the formats of a list of labels.
var LabelLists = Formats[LabelList]{
	{"text", ".txt", "a table", shown(labelsText)},
	{"json", ".json", "a list of objects", textOf(labelsJSON)},
	{"csv", ".labels", "a .labels file, as other tools of the field read it", textOf(labelsFile)},
}

// Comparisons are the formats of several modes side by side.
var Comparisons = Formats[[]Summary]{
	{"text", ".txt", "a table", shown(compareText)},
	{"markdown", ".md", "a table", shown(compareMarkdown)},
	{"csv", ".csv", "a mode a row", textOf(compareCSV)},
	{"json", ".json", "a list of summaries", jsonOf[[]Summary]()},
}

// Prunings are the formats of what pruning proved.
var Prunings = Formats[*Pruning]{
	{"text", ".txt", "a table", shown(pruningText)},
	{"json", ".json", "an object", jsonOf[*Pruning]()},
}

// writing is a renderer that is a function.
type writing[T any] struct {
	o Options
	f func(io.Writer, T, Options) error
}

func (r writing[T]) Render(w io.Writer, v T) error { return r.f(w, v, r.o) }

func textOf[T any](f func(io.Writer, T, Options) error) func(Options) Renderer[T] {
	return func(o Options) Renderer[T] { return writing[T]{o, f} }
}

// shown is textOf for what people read as it is, on terminals: nothing in it is
// obeyed by one.
func shown[T any](f func(io.Writer, T, Options) error) func(Options) Renderer[T] {
	return textOf(func(w io.Writer, v T, o Options) error {
		var b bytes.Buffer
		err := f(&b, v, o)
		if _, werr := io.WriteString(w, fault.Visible(b.String())); err == nil {
			err = werr
		}
		return err
	})
}

func jsonOf[T any]() func(Options) Renderer[T] {
	return textOf(func(w io.Writer, v T, _ Options) error { return Encode(w, v) })
}

// resultJSON writes all of a result, or its summary.
type resultJSON struct{ o Options }

func (j resultJSON) Render(w io.Writer, r *Result) error {
	s := r.Summary
	if s.Criteria == nil {
		s.Criteria = []CriterionCounts{}
	}
	if j.o.Brief {
		return Encode(w, s)
	}
	all := *r
	all.Summary = s
	return Encode(w, all)
}

// Encode writes any value as klabel writes JSON: indented, an empty list as
// one, with < and > as they are, since C is full of them.
func Encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}
