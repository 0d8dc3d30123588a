package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"klabel/campaign"
	"klabel/project"
)

// eachProgram gives the jobs of a folder whose files are programs, each with a main of its own, as
// 'klabel run FILE' makes them; nil where the folder is one program, or somebody has said what is
// meant of it.
func (f *runFlags) eachProgram(cmd *cobra.Command, args []string, all *campaign.Job) ([]campaign.Job, error) {
	if !f.prog.src.found || f.prog.function != "" || f.existingRun != "" || len(f.existing) > 0 ||
		f.cluster != (clusterFlags{}) || cmd.Flags().Changed("all-functions") {
		return nil, nil
	}
	if p, err := f.prog.proj.load(nil); err != nil || p != nil {
		return nil, err
	}
	var files []project.File
	for _, s := range all.Sources {
		files = append(files, project.File{Path: s.Path, Flags: slices.Concat(all.Flags, s.Flags)})
	}
	if len(f.prog.stubFiles) > 0 || !project.ArePrograms(files) {
		return nil, nil
	}
	return f.jobEach(cmd, args, all)
}

// jobEach gives a job for each source, as 'klabel run FILE' makes it, with an output folder in
// that of all.
func (f *runFlags) jobEach(cmd *cobra.Command, args []string, all *campaign.Job) ([]campaign.Job, error) {
	_, program := splitArgs(cmd, args)
	var jobs []campaign.Job
	base, taken := all.Output(), map[string]bool{}
	for _, s := range all.Sources {
		one := *f
		one.allFunctions = false
		src := &one.prog.src
		src.found, src.root, src.compileDB, src.build, src.asked = false, "", "", "", project.Build{}
		one.prog.proj.none = true
		j, err := one.jobOf(cmd, []string{s.Path}, program)
		if err != nil {
			return nil, err
		}
		j.Sources[0].Flags = s.Flags
		j.OutputDir = filepath.Join(base, folderName(f.prog.src.folder(), s.Path, taken))
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// folderName is a name for what is written of a file, one that is not taken.
func folderName(root, path string, taken map[string]bool) string {
	rel, err := filepath.Rel(root, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		rel = filepath.Base(path)
	}
	name := strings.ReplaceAll(strings.TrimSuffix(rel, filepath.Ext(rel)), string(filepath.Separator), "_")
	for n, first := 2, name; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", first, n)
	}
	taken[name] = true
	return name
}
