package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"
	"go.yaml.in/yaml/v3"
)

// TestGitLab holds the job to a schema and runs its commands as a runner does. The schema
// says no less than GitLab's own does of the keys that are used, and knows no others;
// KLABEL_GITLAB_SCHEMA names the file of GitLab's.
func TestGitLab(t *testing.T) {
	text, err := os.ReadFile("../../action/gitlab-ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"testdata/gitlab-ci.schema.json", os.Getenv("KLABEL_GITLAB_SCHEMA")} {
		if file == "" {
			continue
		}
		schema, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		holds := func(v any) bool {
			res, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewGoLoader(v))
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range res.Errors() {
				t.Log(e)
			}
			return res.Valid()
		}
		if !holds(all) {
			t.Errorf("the job is not what %s says", file)
		}
		var wrong map[string]any
		if err := yaml.Unmarshal([]byte(strings.Replace(string(text), "when: always", "when: allways", 1)),
			&wrong); err != nil {
			t.Fatal(err)
		}
		if holds(wrong) {
			t.Errorf("%s says nothing of the artifacts", file)
		}
	}

	var jobs map[string]struct {
		Variables map[string]string
		Script    []string
		After     []string `yaml:"after_script"`
		Coverage  string
		Artifacts struct {
			Paths   []string
			Reports struct {
				Junit, Codequality string
				Coverage           struct{ Path string } `yaml:"coverage_report"`
			}
		}
	}
	if err := yaml.Unmarshal(text, &jobs); err != nil {
		t.Fatal(err)
	}
	job := jobs["klabel"]
	coverage := regexp.MustCompile(strings.Trim(job.Coverage, "/"))
	if !coverage.MatchString("**87.5 %** of the labels that are") {
		t.Error("the coverage in klabel.md is not found")
	}
	m := newMachine(t)
	base := m.repository(t)
	if out, err := m.git("fetch", "-q", "--unshallow"); err != nil { // GIT_DEPTH is 0
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Symlink(m.action, filepath.Join(m.work, "action")); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for name, v := range job.Variables {
		env[name] = strings.ReplaceAll(v, "$CI_MERGE_REQUEST_DIFF_BASE_SHA", base)
	}
	for _, lines := range [][]string{job.Script, job.After} {
		out, err := m.step(t, nil, actionStep{Run: strings.Join(lines, "\n"), Env: env})
		if err != nil {
			t.Errorf("%v: %v\n%s", lines, err, out)
		}
	}
	reports := job.Artifacts.Reports
	m.there(t, "artifacts", strings.Join(append(job.Artifacts.Paths, reports.Junit, reports.Codequality,
		reports.Coverage.Path), " "))
	if notes := m.notes(t); !strings.Contains(notes, "--functions touched --criteria CC,MCC,PATCH --budget 5m") {
		t.Errorf("klabel was called so:\n%s", notes)
	}
}
