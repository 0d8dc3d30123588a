package testcomp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadTask(t *testing.T) {
	const properties = "properties:\n  - property_file: ../properties/unreach-call.prp\n" +
		"    expected_verdict: false\n  - property_file: ../properties/coverage-error-call.prp\n" +
		"  - property_file: ../properties/coverage-branches.prp\n"
	for _, c := range []struct{ text, files, flags, property, err string }{
		{"format_version: '2.0'\ninput_files: 'a.i'\n" + properties + "options:\n  language: C\n  data_model: ILP32\n",
			"c/a.i", "-m32", "properties/coverage-branches.prp", ""},
		{"input_files: ['a.c', \"b.c\"]\noptions: {language: C, data_model: LP64}\n", "c/a.c c/b.c", "", "", "no property"},
		{"input_files: a.c\nproperties: [{property_file: coverage-error-call.prp}]\n", "c/a.c", "",
			"c/coverage-error-call.prp", ""},
		{"on: push\n", "", "", "", "names no input_files"},
		{"input_files: []\n", "", "", "", "names no input_files"},
		{"input_files: [[1]]\n", "", "", "", "names no input_files"},
		{"input_files: A.java\noptions: {language: Java}\n", "", "", "", "a task in Java"},
		{"input_files: a.c\noptions: {data_model: LLP64}\n", "", "", "", `data model "LLP64"`},
		{"\t: x", "", "", "", "yaml"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "c", "a.yml")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		task, err := ReadTask(path)
		property := ""
		if err == nil {
			property, err = task.Property()
		}
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, want %q", c.text, err, c.err)
			}
			if c.files == "" {
				continue
			}
		} else if err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		var want []string
		for _, f := range strings.Fields(c.files) {
			want = append(want, filepath.Join(dir, f))
		}
		if !slices.Equal(task.Files, want) || strings.Join(task.Flags, " ") != c.flags ||
			c.property != "" && property != filepath.Join(dir, c.property) {
			t.Errorf("%q: %+v, %s", c.text, task, property)
		}
	}
	if _, err := ReadTask(filepath.Join(t.TempDir(), "none.yml")); err == nil {
		t.Error("a task that is not there was read")
	}
}
