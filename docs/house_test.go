package docs

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var goFile = regexp.MustCompile(`\b[a-z0-9_]+\.go\b`)

// TestPackageComments checks that each package of the program says its limits,
// and that package comments name files that exist.
func TestPackageComments(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(dir string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || strings.HasPrefix(name, ".") && name != ".." {
			return filepath.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return err
		}
		var text, name string
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				return err
			}
			name, text = tree.Name.Name, text+comment(tree)
		}
		if name == "" {
			return nil
		}
		seen++
		if text == "" {
			t.Errorf("%s: package %s has no comment", dir, name)
		}
		for _, f := range goFile.FindAllString(text, -1) {
			if _, err := os.Stat(filepath.Join(dir, f)); err != nil {
				t.Errorf("%s: the package comment names %s, which is not there", dir, f)
			}
		}
		if strings.Contains(text, "It stops ") || strings.Contains(text, "it stops:") {
			t.Errorf("%s: the package comment speaks of stopping: limits begin with \"Limits:\"", dir)
		}
		if name != "main" && name != "docker" && !strings.HasSuffix(name, "test") &&
			!strings.Contains(strings.Join(strings.Fields(text), " "), "Limits: ") {
			t.Errorf("%s: the package comment says no limits (\"Limits: ...\")", dir)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 30 {
		t.Errorf("only %d packages were found", seen)
	}
}

func comment(f *ast.File) string { return f.Doc.Text() }

// TestLineWidth checks that lines of Go have at most 120 columns, a tab being four.
// Rows of tables may be longer, that is lines that begin with a brace, and what
// stands in raw strings.
func TestLineWidth(t *testing.T) {
	const most = 120
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		raw := rawStrings(text)
		for i, line := range strings.Split(string(text), "\n") {
			row := strings.HasPrefix(strings.TrimLeft(line, "\t"), "{")
			width := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
			if width > most && !row && !raw[i+1] {
				t.Errorf("%s:%d: %d columns", path, i+1, width)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// rawStrings are the lines that raw strings stand on.
func rawStrings(text []byte) map[int]bool {
	files, lines := token.NewFileSet(), map[int]bool{}
	f := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(f, text, nil, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.STRING && lit[0] == '`' {
			for i := range strings.Count(lit, "\n") + 1 {
				lines[f.Line(pos)+i] = true
			}
		}
	}
}

// TestModule checks that go.mod lists what is imported, and nothing else.
func TestModule(t *testing.T) {
	cmd := exec.Command("go", "mod", "tidy", "-diff")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	switch {
	case strings.Contains(string(out), "module lookup disabled"):
		t.Skip("modules of tests of our modules are not on this machine")
	case err != nil:
		t.Errorf("go mod tidy -diff: %v\n%s", err, out)
	}
	if testing.Short() {
		return
	}
	verify := exec.Command("go", "mod", "verify")
	verify.Dir = ".."
	if out, err := verify.CombinedOutput(); err != nil {
		t.Errorf("go mod verify: %v\n%s", err, out)
	}
}
