package annotate

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"

	"klabel/csource"
	"klabel/fault"
	"klabel/label"
	"klabel/objective"
)

// result gathers what the files gave and writes the label file.
func (j *Job) result(srcs []*source) (*Result, error) {
	res := &Result{Reasons: map[label.ID]string{}}
	var rows []label.Row
	var errs []error
	for _, s := range srcs {
		if s.err != nil {
			errs = append(errs, s.err)
			continue
		}
		l := s.done
		if l == nil {
			continue
		}
		res.Files = append(res.Files, File{Source: s.path, Output: s.out, Labels: len(l.Labels)})
		res.Labels = append(res.Labels, l.Labels...)
		res.Decisions = append(res.Decisions, l.Decisions...)
		res.Warnings = append(res.Warnings, l.Warnings...)
		if j.Output == "-" {
			res.Text = append(res.Text, l.Text...)
		}
		for id, r := range l.Reasons {
			res.Reasons[id] = r
		}
	}
	label.Sort(res.Labels)
	for i := 1; i < len(res.Labels); i++ {
		if a, b := res.Labels[i-1], res.Labels[i]; a.ID == b.ID {
			errs = append(errs, fmt.Errorf("%s: label %s is already at %s; give labels written by hand other "+
				"numbers, or start at another with --first-id", b.Position, b.ID, a.Position))
		}
	}
	for _, l := range res.Labels {
		st := label.Unknown
		if res.Reasons[l.ID] != "" {
			st = label.Infeasible
		}
		rows = append(rows, row(l, st))
	}
	if len(res.Files) > 0 && j.Output != "-" {
		res.LabelFile = j.labelFile(srcs)
		var b bytes.Buffer
		if err := label.WriteFile(&b, rows); err != nil {
			return res, err
		}
		b.Write(blockLines(srcs))
		if err := writeFile(res.LabelFile, b.Bytes()); err != nil {
			return res, err
		}
		if err := res.writeObjectives(); err != nil {
			return res, err
		}
	}
	if len(errs) > 0 {
		return res, &FilesError{errs}
	}
	return res, nil
}

// usage returns the first error that is about the job and not about a file.
func usage(srcs []*source) error {
	for _, s := range srcs {
		if fault.Code(s.err) == fault.Usage {
			return s.err
		}
	}
	return nil
}

// checkFunctions reports a name in --functions that no file defines.
func checkFunctions(globs []string, srcs []*source) error {
	if len(globs) == 0 {
		return nil
	}
	seen := map[string]bool{}
	failed := false
	for _, s := range srcs {
		failed = failed || s.err != nil
		for _, n := range s.names {
			seen[n] = true
		}
	}
	if failed {
		return nil // the function may be in the file that could not be read
	}
	return missing(globs, seen)
}

// CheckFunctions reports, as an error of usage, a glob that no function of the
// units matches.
func CheckFunctions(units []*csource.Unit, globs []string) error {
	seen := map[string]bool{}
	for _, u := range units {
		for _, f := range u.Functions() {
			seen[f.Name] = true
		}
	}
	return missing(globs, seen)
}

func missing(globs []string, defined map[string]bool) error {
	var all []string
	for n := range defined {
		all = append(all, n)
	}
	sort.Strings(all)
	for _, g := range globs {
		if slices.ContainsFunc(all, func(n string) bool { return matchAny([]string{g}, n) }) {
			continue
		}
		hint := ""
		if near := fault.Nearest(g, all); len(near) > 0 {
			hint = "nearest: " + strings.Join(near, ", ")
		}
		return fault.WithHint(fault.Usagef("no function %q is defined", g), "%s", hint)
	}
	return nil
}

// wants reports whether a criterion is selected.
func wants(criteria []string, name string) bool {
	for _, l := range criteria {
		for _, c := range strings.Split(l, ",") {
			if strings.EqualFold(strings.TrimSpace(c), name) {
				return true
			}
		}
	}
	return false
}

// writeObjectives writes what the labels are wanted for beside their file.
func (r *Result) writeObjectives() error {
	if len(r.Decisions) == 0 {
		return nil
	}
	var b bytes.Buffer
	err := objective.WriteFile(&b, objective.Hyperlabels(r.Decisions, func(id label.ID) label.Status {
		if r.Reasons[id] != "" {
			return label.Infeasible
		}
		return label.Unknown
	}))
	if err != nil {
		return err
	}
	return writeFile(strings.TrimSuffix(r.LabelFile, ".labels")+".hyperlabels", b.Bytes())
}
