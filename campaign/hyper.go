package campaign

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"klabel/annotate"
	"klabel/csource"
	"klabel/disk"
	"klabel/fault"
	"klabel/label"
	"klabel/objective"
)

// hyperFiles are the .hyperlabels files of a job: those that it names, and what
// stands beside a source, as LTest's annotators leave it.
func (j *Job) hyperFiles() []string {
	out := slices.Clone(j.Hyperlabels)
	for _, s := range j.Sources {
		beside := strings.TrimSuffix(s.Path, filepath.Ext(s.Path)) + ".hyperlabels"
		if exists(beside) && !slices.Contains(out, beside) {
			out = append(out, beside)
		}
	}
	return out
}

// hyperlabels reads the user's hyperlabels, and writes what they and sequences in
// the sources want into the program as labels.
func (p *program) hyperlabels(ctx context.Context, j *Job) error {
	own := map[label.ID]bool{}
	for _, u := range p.plain {
		calls, err := u.Labels()
		if err != nil {
			return err
		}
		for _, c := range calls {
			own[c.ID] = true
		}
	}
	sequences := slices.ContainsFunc(p.units, func(u *csource.Unit) bool { return len(u.Sequences()) > 0 })
	paths := j.hyperFiles()
	if len(own) == 0 && !sequences {
		paths = j.Hyperlabels // what stands by the source is of another version of it
	}
	var files []annotate.HyperFile
	for _, path := range paths {
		text, err := disk.Read(path)
		if err != nil {
			return describe(err)
		}
		hs, err := objective.ReadFile(bytes.NewReader(text), path)
		if err != nil {
			return fault.WithHint(fault.Usagef("%v", err), "a line is NUMBER) EXPRESSION, as in 1) <l1.l2|;a!=b;>")
		}
		files = append(files, annotate.HyperFile{Path: path, Labels: hs})
	}
	if len(files) == 0 && !sequences {
		return nil
	}
	for _, u := range p.units { // where they are now: they move in their lines
		calls, err := u.Labels()
		if err != nil {
			return err
		}
		for _, c := range calls {
			p.place([]label.Label{c.Label()})
		}
	}
	h, err := annotate.Hyperlabels(p.units, files, func(id label.ID) bool { return own[id] }, max(p.next, 1))
	if err != nil {
		return err
	}
	for i, text := range h.Texts {
		u := p.units[i]
		if p.units[i], err = csource.Parse(ctx, u.Path, text, csource.Options{Flags: u.Flags, Target: u.Target,
			LabelMacros: j.LabelMacros}); err != nil {
			return fmt.Errorf("the labelled text of %w", err)
		}
	}
	p.next = h.Next
	p.place(h.Labels)
	p.decisions = append(p.decisions, h.Objectives...)
	p.warnings = append(p.warnings, h.Warnings...)
	return nil
}
