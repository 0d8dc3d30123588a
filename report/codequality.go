package report

import (
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"

	"klabel/label"
)

// codeIssue is what GitLab reads of a code quality report: what its documentation
// asks for, and nothing else.
type codeIssue struct {
	Description string `json:"description"`
	Check       string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// codeQuality writes errors that tests show, contradictions and open labels for
// GitLab's merge requests. What has no place in a file it cannot show; infeasible and
// redundant labels are nothing to look at there. Fingerprints are told apart by what
// they say, not by lines, so that code which only moves brings no new issues.
func codeQuality(w io.Writer, r *Result, o Options) error {
	issues := []codeIssue{}
	seen := map[string]int{}
	add := func(check, severity string, at label.Position, key, text string) {
		if at.File == "" {
			return
		}
		i := codeIssue{Description: text, Check: "klabel/" + check, Severity: severity}
		i.Location.Path, i.Location.Lines.Begin = filepath.ToSlash(r.relative(o, at.File)), max(at.Line, 1)
		id := check + "\x00" + i.Location.Path + "\x00" + key
		seen[id]++
		i.Fingerprint = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", id, seen[id])))[:32]
		issues = append(issues, i)
	}
	for _, f := range r.Findings {
		severity, text := "critical", fmt.Sprintf("%s, shown by %s", f.sentence(), f.Test)
		if f.Doubt != "" {
			severity, text = "major", text+"; doubtful: "+f.Doubt
		}
		add("finding", severity, label.Position{File: f.File, Line: f.Line}, f.Function+"\x00"+f.sentence(), text)
	}
	for _, c := range r.Contradictions {
		d, err := r.Detail(c.Label)
		if err != nil {
			continue
		}
		add("contradiction", "blocker", d.Row.Position, d.Row.Function+"\x00"+d.Row.Predicate,
			fmt.Sprintf("label %s is covered by %s, and %s says: %s", c.Label, c.Test, c.Method, c.Reason))
	}
	for _, l := range r.Rows {
		if l.Status != label.Unknown {
			continue
		}
		text := fmt.Sprintf("no test in %s for %s: %s", l.Function, l.Criteria()[0], l.asks())
		if reason := l.reason(); reason != "" {
			text += "; " + reason
		}
		add("label", "info", l.Position, l.Function+"\x00"+l.Criteria()[0]+"\x00"+l.Predicate, text)
	}
	return Encode(w, issues)
}

// relative is the name of a file as the reader sees it, absolute if it is not below
// where the reader is.
func (r *Result) relative(o Options, file string) string {
	f := sourceFile{Name: file, Path: file}
	for _, s := range r.Sources {
		if s.Name == file {
			f.Path = s.Path
		}
	}
	return o.relative(f)
}
