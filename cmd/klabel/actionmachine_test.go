package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// machine stands for a service's machine: a clone in a folder, tools, and a note of what
// was called.
type machine struct {
	bin, temp, work, action string
}

func newMachine(t *testing.T) *machine {
	dir := t.TempDir()
	m := &machine{bin: filepath.Join(dir, "bin"), temp: filepath.Join(dir, "temp"), work: filepath.Join(dir, "clone"),
		action: filepath.Join(dir, "repo", "action")}
	for _, d := range []string{m.bin, m.temp, m.action} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script, err := os.ReadFile("../../action/run.sh")
	if err == nil {
		err = os.WriteFile(filepath.Join(m.action, "run.sh"), script, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	// What a script may use beside stand-ins, and no compiler.
	for _, tool := range strings.Fields("bash sh git cat mkdir sed sort paste tee head basename") {
		path, err := exec.LookPath(tool)
		if err == nil {
			err = os.Symlink(path, filepath.Join(m.bin, tool))
		}
		if err != nil {
			t.Skip(err)
		}
	}
	for name, body := range standIns {
		m.standIn(t, name, body)
	}
	return m
}

func (m *machine) standIn(t *testing.T, name, body string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.bin, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// repository makes a project with a change behind others, and a clone of its last
// revision alone, as a service checks it out. It returns the revision before the change.
func (m *machine) repository(t *testing.T) (base string) {
	t.Helper()
	origin := filepath.Join(filepath.Dir(m.work), "origin")
	run := func(dir string, args ...string) string {
		out, err := m.gitIn(dir, args...)
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if err := os.Mkdir(origin, 0o755); err != nil {
		t.Fatal(err)
	}
	run(origin, "init", "-q", "-b", "main")
	function := "int touched(void) { return 1; }\n"
	for i, text := range []string{"int f;\n", function, function + "int f;\n"} {
		if err := os.WriteFile(filepath.Join(origin, "f.c"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		run(origin, "add", ".")
		run(origin, "commit", "-q", "-m", "a change")
		if i == 0 {
			base = run(origin, "rev-parse", "HEAD")
		}
	}
	run(filepath.Dir(m.work), "clone", "-q", "--depth", "1", "file://"+origin, m.work)
	if out, err := m.git("cat-file", "-e", base); err == nil {
		t.Fatalf("the clone has all: %s", out)
	}
	return base
}

func (m *machine) git(args ...string) ([]byte, error) { return m.gitIn(m.work, args...) }

func (m *machine) gitIn(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, m.environment()
	return cmd.CombinedOutput()
}

func (m *machine) environment() []string {
	return []string{"PATH=" + m.bin, "HOME=" + m.temp, "NOTES=" + filepath.Join(m.temp, "notes"),
		"RUNNER_TEMP=" + m.temp, "GITHUB_STEP_SUMMARY=" + filepath.Join(m.temp, "summary"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=n@example.org", "GIT_COMMITTER_NAME=n",
		"GIT_COMMITTER_EMAIL=n@example.org"}
}

// step runs a step's command as the service does.
func (m *machine) step(t *testing.T, known map[string]string, s actionStep) (string, error) {
	t.Helper()
	script := filepath.Join(m.temp, "step.sh")
	if err := os.WriteFile(script, []byte(m.expand(t, known, s.Run)), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(m.bin, "bash"), "--noprofile", "--norc", "-e", "-o", "pipefail", script)
	cmd.Dir, cmd.Env = m.work, m.environment()
	if s.Dir != "" {
		cmd.Dir = m.expand(t, known, s.Dir)
	}
	for name, v := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+m.expand(t, known, v))
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

var expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)

// expand puts in what the service's expressions stand for.
func (m *machine) expand(t *testing.T, known map[string]string, text string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(s string) string {
		name := expression.FindStringSubmatch(s)[1]
		v, ok := known[name]
		if !ok {
			t.Errorf("nothing is known of %s", s)
		}
		return v
	})
}

// there looks for the files that an action reads.
func (m *machine) there(t *testing.T, step, patterns string) {
	t.Helper()
	for _, p := range strings.Fields(patterns) {
		if found, err := filepath.Glob(filepath.Join(m.work, p)); err != nil || len(found) == 0 {
			t.Errorf("%s: there is no %s", step, p)
		}
	}
}

func (m *machine) notes(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(m.temp, "notes"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
