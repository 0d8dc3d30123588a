package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

func TestUnknownKeys(t *testing.T) {
	for text, want := range map[string]string{
		"budgt = \"5s\"\n":                          `klabel.toml:1:1: unknown key "budgt"; is "budget" meant?`,
		"budget = \"5s\"\n[inputs]\nmaxarray = 3\n": `klabel.toml:3:1: unknown key "inputs.maxarray"; is "max-array" meant?`,
		"[for.f]\nnonnul = [\"p\"]\n":               `klabel.toml:2:1: unknown key "for.f.nonnul"; is "nonnull" meant?`,
		"zzzzzzzzzzzzz = 1\n":                       `klabel.toml:1:1: unknown key "zzzzzzzzzzzzz"`,
		"budget = 5\n":                              "klabel.toml:1:10: the value is integer: want a string in quotes",
		"[strategy]\nengine = \"fuzz\"\n": "klabel.toml:1:2: a list of tables is wanted: each begins with " +
			"[[strategy]]",
		"strategy = \"fuzz\"\n": "klabel.toml:1:12: the value is string: want tables, each of which begins with " +
			"[[strategy]]",
		"budget = \n":                            "klabel.toml:1:",
		"files = [\"a.c\"]\nfiles = [\"b.c\"]\n": "klabel.toml",
	} {
		_, err := Parse("klabel.toml", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error is %v, want %s", text, err, want)
		}
	}
}

func flagSet() (*pflag.FlagSet, map[string]any) {
	fs := pflag.NewFlagSet("run", pflag.ContinueOnError)
	v := map[string]any{
		"budget": fs.Duration("budget", 0, ""), "max-array": fs.Int("max-array", 4, ""),
		"cflag":    fs.StringArray("cflag", nil, ""),
		"criteria": fs.StringSlice("criteria", nil, ""), "range": fs.StringArray("range", nil, ""),
		"any-enum":   fs.Bool("any-enum", false, ""),
		"fail-under": fs.Float64("fail-under", 0, ""),
	}
	return fs, v
}

const sample = `
files = ["src/a.c"]
cflag = ["-Iinc", "-DX=1"]
criteria = ["CC", "WM"]
budget = "5s"
fail-under = 80.5
functions = ["g"]

[inputs]
max-array = 6
any-enum = true
range = ["x:0..1"]

[for.f]
max-array = 2
range = ["y:2..3"]
`

func TestApply(t *testing.T) {
	p, err := Parse(filepath.Join("sub", "klabel.toml"), []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{filepath.Join("sub", "src", "a.c")}, p.Files); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		args     []string
		function string
		want     map[string]string
	}{
		{nil, "f", map[string]string{"budget": "5s", "max-array": "2", "range": "[x:0..1,y:2..3]", "any-enum": "true", "criteria": "[CC,WM]", "cflag": "[-I" + filepath.Join("sub", "inc") + ",-DX=1]", "fail-under": "80.5"}},
		{nil, "g", map[string]string{"max-array": "6", "range": "[x:0..1]"}},
		{[]string{"--max-array=9", "--range=z:1..2", "--criteria=MCC"}, "f", map[string]string{"max-array": "9", "range": "[z:1..2]", "criteria": "[MCC]", "budget": "5s"}},
	} {
		fs, _ := flagSet()
		if err := fs.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		if err := p.Apply(fs, c.function); err != nil {
			t.Fatal(err)
		}
		for name, want := range c.want {
			if got := fs.Lookup(name).Value.String(); got != want {
				t.Errorf("%v %s: --%s is %s, want %s", c.args, c.function, name, got, want)
			}
		}
	}
}

func TestApplyNamesTheKey(t *testing.T) {
	p, err := Parse("klabel.toml", []byte("budget = \"soon\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	fs, _ := flagSet()
	if err := p.Apply(fs, ""); err == nil || !strings.Contains(err.Error(), `klabel.toml:1:1: budget = "soon"`) {
		t.Errorf("error is %v", err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	deep := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, FileName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(filepath.Join(deep, "f.c")); err != nil || got != "" {
		t.Errorf("found %q above without a repository, %v", got, err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := Find(filepath.Join(deep, "f.c"))
	if err != nil || filepath.Dir(got) != dir {
		t.Errorf("found %q, %v", got, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "a", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(filepath.Join(deep, "f.c")); err != nil || got != "" {
		t.Errorf("found %q beyond the repository, %v", got, err)
	}
}

func TestTemplateIsReadable(t *testing.T) {
	text := Template([]string{"a.c"}, Flags{IncludeDirs: []string{"include"}}, []Function{{Name: "f", Signature: "int f(int *t, int n)", Relations: []string{`array = ["t:n"]`}}, {Name: "g"}})
	p, err := Parse(FileName, []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(p.For) != 2 || len(p.For["f"].Array) != 1 {
		t.Errorf("functions are %v", p.For)
	}
}
