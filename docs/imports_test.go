// Package docs holds what is written about klabel; the only Go in it holds the
// code to what is written.
package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestImports holds every package of the module to the table in
// architecture.md: who may import whom, and that none is missing.
func TestImports(t *testing.T) {
	text, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string][]string{}
	row := regexp.MustCompile("(?m)^\\| ((?:`[^`]+` ?)+)\\| [^|]+ \\| ([^|]*) \\|$")
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		for _, name := range strings.Fields(strings.ReplaceAll(m[1], "`", "")) {
			allowed[name] = strings.Fields(m[2])
		}
	}
	if len(allowed) < 20 {
		t.Fatalf("only %d packages in the table: has its form changed?", len(allowed))
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "klabel/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], "klabel/")
		if name == "docs" {
			continue
		}
		seen[name] = true
		may, ok := allowed[name]
		if !ok {
			t.Errorf("package %s is not in architecture.md", name)
			continue
		}
		for _, imported := range fields[1:] {
			own, isOwn := strings.CutPrefix(imported, "klabel/")
			if isOwn && !slices.Contains(may, own) && !slices.Contains(may, "*") {
				t.Errorf("%s imports %s; architecture.md allows it %v", name, own, may)
			}
			if imported == "os/exec" && name != "toolchain" && !strings.HasPrefix(name, "bench/") {
				t.Errorf("%s imports os/exec: only toolchain starts processes", name)
			}
		}
	}
	for name := range allowed {
		if !seen[name] {
			t.Errorf("architecture.md names %s, which is no package", name)
		}
	}
}

// TestLinks checks that the documents name files that exist.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	docs, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	top, err := filepath.Glob("../*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range append(docs, top...) {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(doc), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", doc, m[1], err)
			}
		}
	}
}
