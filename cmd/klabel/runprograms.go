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
	if len(f.prog.stubFiles) > 0 || !project.ArePrograms(filesOf(all)) {
		return nil, nil
	}
	return f.jobEach(cmd, args, all)
}

func filesOf(job *campaign.Job) (files []project.File) {
	for _, s := range job.Sources {
		files = append(files, project.File{Path: s.Path, Flags: slices.Concat(job.Flags, s.Flags)})
	}
	return files
}

// jobEach gives a job for each program, as 'klabel run FILE...' makes it, with an output folder in
// that of all.
func (f *runFlags) jobEach(cmd *cobra.Command, args []string, all *campaign.Job) ([]campaign.Job, error) {
	_, program := splitArgs(cmd, args)
	var jobs []campaign.Job
	base, taken := all.Output(), map[string]bool{}
	for _, group := range project.Programs(filesOf(all)) {
		one := *f
		one.allFunctions = false
		src := &one.prog.src
		src.found, src.root, src.compileDB, src.build, src.asked = false, "", "", "", project.Build{}
		one.prog.proj.none = true
		var paths []string
		for _, i := range group {
			paths = append(paths, all.Sources[i].Path)
		}
		j, err := one.jobOf(cmd, paths, program)
		if err != nil {
			return nil, err
		}
		for k, i := range group {
			j.Sources[k].Flags = all.Sources[i].Flags
		}
		j.OutputDir = filepath.Join(base, folderName(f.prog.src.folder(), paths[0], taken))
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
