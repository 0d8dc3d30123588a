package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// resultCSV has a label a row, for spreadsheets.
func resultCSV(w io.Writer, r *Result, _ Options) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"id", "status", "criteria", "file", "line", "column", "function", "predicate", "test", "tests",
		"method", "reason", "of", "tried"}}
	for _, l := range r.Rows {
		of := ""
		if l.Of != nil {
			of = l.Of.String()
		}
		rows = append(rows, []string{l.ID.String(), l.Status.String(), strings.Join(l.Tags, " "), l.Position.File,
			strconv.Itoa(l.Position.Line),
			strconv.Itoa(l.Position.Column), l.Function, l.Predicate, l.Test, strings.Join(l.Tests, " "), l.Method,
			l.Reason, of, strings.Join(l.Tried, "; ")})
	}
	return c.WriteAll(rows)
}
