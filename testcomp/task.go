package testcomp

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"klabel/disk"
)

// Task is what a task definition says of a program: a .yml file of format 2.
type Task struct {
	Files      []string // as they are found from where the task is read
	Flags      []string // for the compiler
	Properties []string // that say what to cover
}

// IsTask reports whether a file is a task definition by its name.
func IsTask(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".yml" || ext == ".yaml"
}

// dataModels are the compiler's flags for what tasks ask for.
var dataModels = map[string][]string{"": nil, "LP64": nil, "ILP32": {"-m32"}}

// ReadTask reads a task definition. Of its properties those count that say what is to be
// covered; all its paths are relative to it.
func ReadTask(path string) (Task, error) {
	var t Task
	text, err := disk.Read(path)
	if err != nil {
		return t, fmt.Errorf("reading the task: %w", err)
	}
	var d struct {
		Files      yaml.Node `yaml:"input_files"`
		Properties []struct {
			File string `yaml:"property_file"`
		} `yaml:"properties"`
		Options struct {
			Language  string `yaml:"language"`
			DataModel string `yaml:"data_model"`
		} `yaml:"options"`
	}
	if err := yaml.Unmarshal(text, &d); err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	var one string
	if d.Files.Decode(&one) == nil && one != "" {
		t.Files = []string{one}
	} else if err := d.Files.Decode(&t.Files); err != nil || len(t.Files) == 0 {
		return t, fmt.Errorf("%s is no task: it names no input_files", path)
	}
	if l := d.Options.Language; l != "" && l != "C" {
		return t, fmt.Errorf("%s is a task in %s; klabel tests C", path, l)
	}
	flags, ok := dataModels[d.Options.DataModel]
	if !ok {
		return t, fmt.Errorf("%s asks for the data model %q; klabel knows LP64 and ILP32", path, d.Options.DataModel)
	}
	t.Flags = flags
	from := func(name string) string { return filepath.Join(filepath.Dir(path), filepath.FromSlash(name)) }
	for i, f := range t.Files {
		t.Files[i] = from(f)
	}
	for _, p := range d.Properties {
		if strings.HasPrefix(filepath.Base(p.File), "coverage-") {
			t.Properties = append(t.Properties, from(p.File))
		}
	}
	return t, nil
}

// Named finds a property of the task by the name of its file alone.
func (t Task) Named(file string) (string, bool) {
	i := slices.IndexFunc(t.Properties, func(p string) bool { return filepath.Base(p) == file })
	if i < 0 {
		return "", false
	}
	return t.Properties[i], true
}

// Property is the one that is meant where nobody says which: branches are what all programs have.
func (t Task) Property() (string, error) {
	for _, name := range []string{"coverage-branches.prp", "coverage-error-call.prp"} {
		if p, ok := t.Named(name); ok {
			return p, nil
		}
	}
	if len(t.Properties) > 0 {
		return t.Properties[0], nil
	}
	return "", errors.New("the task has no property that says what to cover")
}
