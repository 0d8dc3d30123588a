package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"klabel/disk"
	"klabel/label"
)

// Other coverage tools ask for what klabel has proved impossible. Two forms hand
// it on: a patch with the exclusion marks that lcov and gcovr read, for a copy of
// the sources that is built for coverage, and a file of justifications.

// The marks of lcov, which gcovr reads too.
const (
	excludeLine   = "LCOV_EXCL_LINE"
	excludeBranch = "LCOV_EXCL_BR_LINE"
)

// exclusion is the mark that a line may have, "" if none.
//
// A line is unreachable if all of its labels are infeasible, and among them one
// that asks for no more than being there, or both a condition and its contrary.
// Its branches are excluded if one of its conditions has an infeasible outcome
// and nothing about its conditions is open: a mark hides all branches of a line,
// so each of them must be covered, or impossible. CC alone says that of each
// condition: a combination of MCC may be impossible and all branches be taken.
func (l sourceLine) exclusion() (mark string, because []LabelRow) {
	var infeasible []LabelRow
	conditions, open := false, false
	for _, r := range l.Rows {
		about := slices.ContainsFunc(r.Criteria(), func(c string) bool { return c == "CC" })
		switch {
		case r.Status == label.Infeasible:
			infeasible = append(infeasible, r)
			conditions = conditions || about
		case r.Status != label.Covered:
			open = true
		}
	}
	switch {
	case len(infeasible) == len(l.Rows) && unreachable(infeasible):
		return excludeLine, infeasible
	case conditions && !open:
		return excludeBranch, infeasible
	}
	return "", nil
}

// unreachable reports whether infeasible labels say that no run gets there.
func unreachable(rows []LabelRow) bool {
	there := map[string]bool{}
	for _, r := range rows {
		there[bare(r.Predicate)] = true
	}
	for p := range there {
		if p == "1" || there["!("+p+")"] || there["!"+p] {
			return true
		}
	}
	return false
}

// bare is a predicate without the parentheses around all of it.
func bare(p string) string {
	p = strings.TrimSpace(p)
	for len(p) > 1 && p[0] == '(' && p[len(p)-1] == ')' {
		depth := 0
		for i, c := range p {
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 && i < len(p)-1 {
				return p // the first one is closed before the end
			}
		}
		p = strings.TrimSpace(p[1 : len(p)-1])
	}
	return p
}

// exclusionsPatch writes a unified diff, for patch -p1 in the options' directory.
func exclusionsPatch(w io.Writer, r *Result, o Options) error {
	for _, f := range r.files() {
		text, err := disk.Read(f.Path)
		if err != nil {
			continue // there is nothing to patch
		}
		lines := strings.SplitAfter(string(text), "\n")
		if n := len(lines); lines[n-1] == "" {
			lines = lines[:n-1]
		}
		marked := map[int]string{} // by index
		for _, l := range f.Lines {
			if mark, because := l.exclusion(); mark != "" && l.Number >= 1 && l.Number <= len(lines) {
				marked[l.Number-1] = withMark(lines[l.Number-1], mark, because)
			}
		}
		if err := unifiedDiff(w, o.relative(f), lines, marked); err != nil {
			return err
		}
	}
	return nil
}

// withMark adds a comment to a line of C: before a backslash that continues it,
// and as bare words where a comment is open at its end.
func withMark(line, mark string, because []LabelRow) string {
	var ids []string
	for _, r := range because {
		ids = append(ids, r.ID.String())
	}
	words := fmt.Sprintf("%s klabel: infeasible: %s", mark, strings.Join(ids, ", "))
	body := strings.TrimRight(line, "\r\n")
	end := line[len(body):]
	if strings.LastIndex(body, "/*") > strings.LastIndex(body, "*/") {
		return body + " " + words + end
	}
	if rest, ok := strings.CutSuffix(body, "\\"); ok {
		return rest + "/* " + words + " */ \\" + end
	}
	return body + " /* " + words + " */" + end
}

// unifiedDiff writes the lines that change, each into one, with their context.
func unifiedDiff(w io.Writer, name string, lines []string, changed map[int]string) error {
	const context = 3
	var at []int
	for i := range lines {
		if _, ok := changed[i]; ok {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	name = strings.TrimPrefix(name, "/")
	var b bytes.Buffer
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", name, name)
	for len(at) > 0 {
		last := 0
		for last+1 < len(at) && at[last+1]-at[last] <= 2*context {
			last++
		}
		from, to := max(0, at[0]-context), min(len(lines), at[last]+context+1)
		fmt.Fprintf(&b, "@@ -%d,%d +%[1]d,%d @@\n", from+1, to-from)
		put := func(sign, line string) {
			b.WriteString(sign + line)
			if !strings.HasSuffix(line, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
		for i := from; i < to; i++ {
			if other, ok := changed[i]; ok {
				put("-", lines[i])
				put("+", other)
			} else {
				put(" ", lines[i])
			}
		}
		at = at[last+1:]
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Justification says why one label cannot be covered.
type Justification struct {
	Label     label.ID `json:"label"`
	File      string   `json:"file"`
	SHA256    string   `json:"file_sha256,omitempty"` // of the file that was proved about, as it is now
	Line      int      `json:"line"`
	Column    int      `json:"column,omitempty"`
	Text      string   `json:"text,omitempty"` // of the line
	Function  string   `json:"function,omitempty"`
	Criteria  []string `json:"criteria"`
	Predicate string   `json:"predicate"`
	Method    string   `json:"method"`
	Proof     string   `json:"proof"`
	Exclusion string   `json:"exclusion,omitempty"` // the mark that its line gets
	// Hash is of function, line text, predicate, method and proof: the same as long
	// as the claim is.
	Hash string `json:"hash"`
}

// justifications writes a list for review, and for tools that take one.
func justifications(w io.Writer, r *Result, o Options) error {
	out := []Justification{}
	for _, f := range r.files() {
		text, err := disk.Read(f.Path)
		lines := r.lines(f.Name)
		for _, l := range f.Lines {
			mark, _ := l.exclusion()
			for _, row := range l.Rows {
				if row.Status != label.Infeasible {
					continue
				}
				j := Justification{Label: row.ID, File: o.relative(f), Line: l.Number, Column: row.Position.Column,
					Function: row.Function, Criteria: row.Criteria(),
					Predicate: row.Predicate, Method: row.Method, Proof: row.Reason, Exclusion: mark}
				if err == nil {
					j.SHA256 = digest(string(text))
				}
				if l.Number >= 1 && l.Number <= len(lines) {
					j.Text = strings.TrimSpace(lines[l.Number-1])
				}
				j.Hash = digest(strings.Join([]string{j.Function, j.Text, j.Predicate, j.Method, j.Proof}, "\x00"))
				out = append(out, j)
			}
		}
	}
	return Encode(w, struct {
		Program string          `json:"program"`
		Tool    string          `json:"tool"`
		Labels  []Justification `json:"labels"`
	}{r.Program, "klabel", out})
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
