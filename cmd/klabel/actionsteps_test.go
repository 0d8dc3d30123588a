package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// actionStep is a step of a composite action.
type actionStep struct {
	Name, Shell, Run, Uses, If string
	Dir                        string `yaml:"working-directory"`
	Env, With                  map[string]string
}

// standIns take the place of what a service's machine has. Each notes how it was called;
// klabel writes what the reports are called, and git is the real one.
var standIns = map[string]string{
	"sudo": `echo "sudo $*" >>"$NOTES"`,
	"go":   `echo "go $* in $(basename "$PWD")" >>"$NOTES"`,
	"gh":   `echo "gh $* as $GH_TOKEN: $(head -1 klabel-out/klabel.md)" >>"$NOTES"`,
	"klabel": `echo "klabel $*" >>"$NOTES"
case $1 in
labels) echo '  "function": "touched",' ;;
run) mkdir -p klabel-out/tests; : >klabel-out/klabel.db; : >klabel-out/tests/one.ktest; exit "${STATUS:-0}" ;;
report) while [ "$1" != -o ]; do shift; done; echo "## a table" >"$2" ;;
esac`,
}

// TestActionSteps runs each step of action.yml that is a command as the service does, with
// its environment, in a shallow clone of a repository with a pull request; what further
// actions are to read is there then.
func TestActionSteps(t *testing.T) {
	for _, tool := range []string{"bash", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool)
		}
	}
	text, err := os.ReadFile("../../action/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []actionStep }
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	m := newMachine(t)
	base := m.repository(t)
	known := map[string]string{"github.action_path": m.action, "github.token": "a token",
		"github.event.pull_request.number":                          "17",
		"inputs.klabel || format('{0}/klabel', runner.temp)":        filepath.Join(m.bin, "klabel"),
		"github.event.pull_request.base.sha || github.event.before": base}
	for name, in := range action.Inputs {
		known["inputs."+name] = m.expand(t, known, in.Default)
	}
	for _, s := range action.Runs.Steps {
		if s.Run == "" {
			for name, v := range s.With {
				if name == "sarif_file" || name == "path" {
					m.there(t, s.Name, v)
				}
			}
			continue
		}
		if s.Shell != "bash" {
			t.Errorf("%s runs in %q", s.Name, s.Shell)
		}
		out, err := m.step(t, known, s)
		if err != nil {
			t.Errorf("%s: %v\n%s", s.Name, err, out)
		}
		if s.Name == "Fetch the base" {
			if out, err := m.git("merge-base", base, "HEAD"); err != nil {
				t.Errorf("the base is not there: %v\n%s", err, out)
			}
		}
	}
	notes := m.notes(t)
	for _, want := range []string{"sudo apt-get update -q", "sudo apt-get install -yq clang",
		"go build -o " + m.temp + "/klabel ./cmd/klabel in repo",
		`klabel labels f.c --revisions [0-9a-f]+\.\.HEAD --criteria PATCH`,
		`klabel run f.c --revisions \S+ --all-functions --functions touched --criteria CC,MCC,PATCH --budget 5m ` +
			`--fail-under 0 -o`,
		`klabel report klabel-out --format sarif -o klabel-out/klabel.sarif`,
		`gh pr comment 17 --edit-last --create-if-none --body-file klabel-out/klabel.md as a token: ## a table`} {
		if !regexp.MustCompile(`(?m)^` + want).MatchString(notes) {
			t.Errorf("no %q in\n%s", want, notes)
		}
	}
	if b, err := os.ReadFile(filepath.Join(m.temp, "summary")); err != nil || string(b) != "## a table\n" {
		t.Errorf("the summary is %q (%v)", b, err)
	}

	// Too little covered fails the step, and what comes always shows it all the same.
	for _, s := range action.Runs.Steps {
		switch s.Name {
		case "Generate tests":
			s.Env = maps.Clone(s.Env)
			s.Env["STATUS"] = "3"
			var exit *exec.ExitError
			if out, err := m.step(t, known, s); !asExit(err, &exit) || exit.ExitCode() != 3 {
				t.Errorf("%v, want exit status 3\n%s", err, out)
			}
		case "Show the summary", "Comment", "Annotate", "Keep tests and reports":
			if !strings.Contains(s.If, "always()") {
				t.Errorf("%s does not run after a failure", s.Name)
			}
		}
	}

	// A first push has no base; a clang that is there is not installed; no report is no error.
	if err := os.RemoveAll(filepath.Join(m.work, "klabel-out")); err != nil {
		t.Fatal(err)
	}
	m.standIn(t, "clang", "")
	known["inputs.base"] = strings.Repeat("0", 40)
	before := m.notes(t)
	for _, s := range action.Runs.Steps {
		if slices.Contains([]string{"Install clang", "Fetch the base", "Show the summary"}, s.Name) {
			if out, err := m.step(t, known, s); err != nil {
				t.Errorf("%s: %v\n%s", s.Name, err, out)
			}
		}
	}
	if got := m.notes(t); got != before {
		t.Errorf("more was done: %s", strings.TrimPrefix(got, before))
	}
}

func asExit(err error, to **exec.ExitError) (ok bool) {
	*to, ok = err.(*exec.ExitError)
	return ok
}
