package report

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"klabel/label"
)

// The parts of SARIF 2.1.0 (OASIS, 2020) that code hosts read.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool               `json:"tool"`
		Bases      map[string]sarifAddress `json:"originalUriBaseIds,omitempty"`
		Results    []sarifResult           `json:"results"`
		ColumnKind string                  `json:"columnKind"`
	}
	sarifTool struct {
		Driver struct {
			Name           string      `json:"name"`
			InformationURI string      `json:"informationUri,omitempty"`
			Rules          []sarifRule `json:"rules"`
		} `json:"driver"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifAddress struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Properties   map[string]any     `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact sarifAddress `json:"artifactLocation"`
			Region   *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
)

const sarifRoot = "SRCROOT"

// sarifJSON writes what somebody should look at: errors that tests show,
// contradictions, and labels that no test covers. Infeasible labels are
// suppressed, with their proof as the justification.
func sarifJSON(w io.Writer, r *Result, o Options) error {
	run := sarifRun{Results: []sarifResult{}, ColumnKind: "utf16CodeUnits"}
	run.Tool.Driver.Name = "klabel"
	run.Tool.Driver.Rules = []sarifRule{}
	if o.Dir != "" {
		run.Bases = map[string]sarifAddress{sarifRoot: {URI: fileURI(o.Dir) + "/"}}
	}
	rule := func(id, text string) int {
		rules := &run.Tool.Driver.Rules
		if i := slices.IndexFunc(*rules, func(x sarifRule) bool { return x.ID == id }); i >= 0 {
			return i
		}
		*rules = append(*rules, sarifRule{id, sarifText{text}})
		return len(*rules) - 1
	}
	for _, f := range r.Findings {
		kind, _, _ := strings.Cut(f.Kind, " of type ") // one rule, whatever the type
		id := "finding/" + strings.ReplaceAll(kind, " ", "-")
		text := fmt.Sprintf("%s, shown by %s (%s)", f.sentence(), f.Test, f.Path)
		level, more := "error", map[string]any(nil)
		if f.Doubt != "" {
			level, text = "warning", text+"; doubtful: "+f.Doubt
		}
		if len(f.Given) > 0 {
			more = map[string]any{"given": f.Given}
		}
		run.Results = append(run.Results, sarifResult{RuleID: id, RuleIndex: rule(id, "A test shows: "+kind),
			Level:     level,
			Message:   sarifText{text},
			Locations: r.sarifPlace(o, label.Position{File: f.File, Line: f.Line}), Properties: more})
	}
	for _, c := range r.Contradictions {
		place := label.Position{}
		if d, err := r.Detail(c.Label); err == nil {
			place = d.Row.Position
		}
		run.Results = append(run.Results, sarifResult{RuleID: "contradiction",
			RuleIndex: rule("contradiction", "A proof and a test contradict each other"), Level: "error",
			Message: sarifText{fmt.Sprintf("label %s is covered by %s, and %s says: %s", c.Label, c.Test, c.Method,
				c.Reason)}, Locations: r.sarifPlace(o, place)})
	}
	for _, l := range r.Rows {
		if l.Status == label.Covered || l.Status == label.Deselected {
			continue
		}
		criterion := l.Criteria()[0]
		id := "label/" + criterion
		res := sarifResult{RuleID: id, RuleIndex: rule(id, "A label of criterion "+criterion+" that no test covers"),
			Level:     "note",
			Locations: r.sarifPlace(o, l.Position), Fingerprints: map[string]string{"label/v1": l.Function + "/" +
				criterion + "/" + l.Predicate}}
		text := fmt.Sprintf("%s label %s in %s is not covered: %s", criterion, l.ID, l.Function, l.asks())
		switch l.Status {
		case label.Infeasible:
			res.Level = "none"
			res.Suppressions = []sarifSuppression{{"external", "accepted", "proved infeasible by " + l.reason()}}
		case label.Duplicate, label.Subsumed:
			text += "; " + l.reason()
		default:
			if reason := l.reason(); reason != "" {
				text += "; " + reason
			}
		}
		res.Message.Text = text
		run.Results = append(run.Results, res)
	}
	return Encode(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// sarifPlace is a list of one location, or of none.
func (r *Result) sarifPlace(o Options, p label.Position) []sarifLocation {
	if p.File == "" {
		return nil
	}
	var l sarifLocation
	if name := r.relative(o, p.File); filepath.IsAbs(name) {
		l.Physical.Artifact = sarifAddress{URI: fileURI(name)}
	} else {
		l.Physical.Artifact.URI = (&url.URL{Path: name}).String()
		if o.Dir != "" {
			l.Physical.Artifact.BaseID = sarifRoot
		}
	}
	if p.Line > 0 {
		l.Physical.Region = &sarifRegion{p.Line, p.Column}
	}
	return []sarifLocation{l}
}

func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
