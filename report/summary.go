// Package report turns the outcome of a campaign into what people and other
// tools read: a table for a terminal, JSON, Markdown and CSV.
//
// It exists so that the names in the JSON form, which other tools depend on,
// are written in one place. It promises to render what it is given and to
// compute nothing but shares. It stops at rendering: where the numbers come
// from is the business of package campaign.
package report

import (
	"encoding/json"
	"fmt"
	"io"

	"klabel/label"
)

// Summary is the outcome of one campaign in one mode.
type Summary struct {
	Program  string            `json:"program"`
	Seconds  float64           `json:"seconds"`
	Labels   Counts            `json:"labels"`
	Criteria []CriterionCounts `json:"criteria"`
	Tests    Tests             `json:"tests"`
	Engine   Engine            `json:"engine"`

	Ratios         Ratios          `json:"ratios"`
	Interrupted    bool            `json:"interrupted,omitempty"`
	Failure        string          `json:"failure,omitempty"` // what ended the run early
	Contradictions []Contradiction `json:"contradictions,omitempty"`
	Notes          []string        `json:"notes,omitempty"` // for people: what was given up, what is missing
	OutputDir      string          `json:"output_dir,omitempty"`
}

// Counts are numbers of labels by status.
type Counts struct {
	Total      int `json:"total"`
	Covered    int `json:"covered"`
	Infeasible int `json:"infeasible"`
	Duplicate  int `json:"duplicate"`
	Subsumed   int `json:"subsumed"`
	Unknown    int `json:"unknown"`
}

// CriterionCounts are the numbers for one criterion. A label that two criteria
// share counts in both.
type CriterionCounts struct {
	Name       string `json:"name"`
	Total      int    `json:"total"`
	Covered    int    `json:"covered"`
	Infeasible int    `json:"infeasible"`
	Unknown    int    `json:"unknown"`
}

// Tests are numbers of tests. Kept ones make up the suite.
type Tests struct {
	Generated     int `json:"generated"`
	Kept          int `json:"kept"`
	RuntimeErrors int `json:"runtime_errors"`
	Diverged      int `json:"diverged"`
}

// Engine says what explored the program and how far it came. LastLabelSeconds
// is the time from the engine's start to the test that covered the last label.
type Engine struct {
	Name             string  `json:"name"`
	Version          string  `json:"version"`
	Mode             string  `json:"mode"`
	Paths            uint64  `json:"paths"`
	Instructions     uint64  `json:"instructions"`
	Seconds          float64 `json:"seconds"`
	LastLabelSeconds float64 `json:"last_label_seconds"`
	Complete         bool    `json:"complete"`
}

// Ratios are covered labels over labels: over all, over those not proved
// infeasible, and over those neither infeasible, duplicate nor subsumed.
type Ratios struct {
	All      float64 `json:"all"`
	Feasible float64 `json:"feasible"`
	Distinct float64 `json:"distinct"`
}

func (r Ratios) String() string {
	return fmt.Sprintf("%s of all labels are covered, %s without infeasible ones, %s without redundant ones too", percent(r.All), percent(r.Feasible), percent(r.Distinct))
}

// Contradiction is a label that a replay covered and that something proved
// infeasible: an error in klabel, in a prover or in their common assumptions.
type Contradiction struct {
	Label  label.ID `json:"label"`
	Test   string   `json:"test"`
	Method string   `json:"method"`
	Reason string   `json:"reason"`
}

func ratio(a, b int) float64 {
	if b <= 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// JSON writes one summary.
func JSON(w io.Writer, s Summary) error {
	if s.Criteria == nil {
		s.Criteria = []CriterionCounts{}
	}
	return Encode(w, s)
}

// Encode writes any value as klabel writes JSON: indented, with < and > as they
// are, since C is full of them.
func Encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}
