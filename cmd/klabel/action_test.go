package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestAction holds action.yml to its own inputs and to what run.sh reads: what
// the service runs cannot be run here.
func TestAction(t *testing.T) {
	text, err := os.ReadFile("../../action/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../action/run.sh")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Description, Default string }
		Runs   struct {
			Using string
			Steps []struct {
				Name, Shell, Run, Uses, If string
				Env                        map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	if action.Runs.Using != "composite" || len(action.Runs.Steps) == 0 {
		t.Fatalf("no composite action: %+v", action.Runs)
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.([\w-]+)`).FindAllStringSubmatch(string(text), -1) {
		used[m[1]] = true
		if _, ok := action.Inputs[m[1]]; !ok {
			t.Errorf("there is no input %s", m[1])
		}
	}
	given := map[string]bool{}
	for _, s := range action.Runs.Steps {
		if s.Run != "" && s.Shell == "" {
			t.Errorf("step %s names no shell", s.Name)
		}
		if strings.Contains(s.Run, "${{ inputs.") || strings.Contains(s.Run, "${{ github.event") {
			t.Errorf("step %s puts what others write into a script: by the environment alone", s.Name)
		}
		for name := range s.Env {
			given[name] = true
		}
	}
	for name, in := range action.Inputs {
		if !used[name] || in.Description == "" {
			t.Errorf("input %s is not used or not described", name)
		}
	}
	for _, m := range regexp.MustCompile(`\$\{?(KLABEL[A-Z_]*)`).FindAllStringSubmatch(string(script), -1) {
		if !given[m[1]] {
			t.Errorf("action.yml does not give %s", m[1])
		}
		if !strings.Contains(string(script), "#   "+m[1]+" ") {
			t.Errorf("run.sh does not explain %s", m[1])
		}
	}
}
