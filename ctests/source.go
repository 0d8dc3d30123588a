package ctests

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"klabel/csource"
	"klabel/disk"
	"klabel/input"
	"klabel/runtime_c"
)

// asksForInputs reports whether a source calls functions of KLEE's, or of the
// competitions, by itself.
func asksForInputs(source string) bool {
	for _, s := range []string{"klee_", "__VERIFIER_", "sc_assume", "reach_error", "harness_macros.h"} {
		if strings.Contains(source, s) {
			return true
		}
	}
	return false
}

// replaceDefinitions writes a copy of the source in which functions that have a
// stub are defined under another name, and returns the copy's name.
func replaceDefinitions(out *folder, o Options, d *input.Driver) (string, error) {
	lines := strings.SplitAfter(o.text, "\n")
	for i := len(d.Replaced) - 1; i >= 0; i-- {
		r := d.Replaced[i]
		if filepath.Base(r.File) != filepath.Base(o.Source) || r.NameColumn == 0 || r.StartColumn == 0 ||
			r.NameLine > len(lines) {
			return "", fmt.Errorf("writing C tests: the definition of %s cannot be replaced: it does not stand in %s "+
				"itself", r.Name, o.Source)
		}
		l := lines[r.NameLine-1]
		at := r.NameColumn - 1
		if !strings.HasPrefix(l[min(at, len(l)):], r.Name) {
			return "", fmt.Errorf("writing C tests: the definition of %s was not found in %s", r.Name, o.Source)
		}
		lines[r.NameLine-1] = l[:at] + r.To + l[at+len(r.Name):]
		head := ""
		for _, c := range d.Calls {
			if c.Function == r.Name {
				head = c.Head
				if c.Static {
					head = "static " + head
				}
			}
		}
		l = lines[r.StartLine-1]
		lines[r.StartLine-1] = l[:r.StartColumn-1] + head + "; " + l[r.StartColumn-1:]
	}
	name := "with_stubs_" + filepath.Base(o.Source)
	return name, out.put(name, fmt.Sprintf("#line 1 %s\n", csource.QuoteFile(o.Include))+strings.Join(lines, ""))
}

// shipped are headers that a source may include and that only klabel brings, with
// those that they include.
var shipped = []struct {
	name  string
	needs []string
}{
	{"klee/klee.h", nil},
	{"harness_macros.h", []string{"klee/klee.h"}},
	{"labels.h", []string{"klabel/labels.h"}},
}

// headers writes those that the source, or another file of the program, needs: of two
// with the same name the one beside the source is found first.
func headers(out *folder, o Options, program bool) (any bool, err error) {
	texts := []string{o.text}
	for _, s := range o.Sources {
		if text, err := disk.Read(filepath.Join(out.dir, s)); err == nil { // else its compilation says why
			texts = append(texts, string(text))
		}
	}
	for _, h := range shipped {
		asked := program && h.name == "klee/klee.h" || slices.ContainsFunc(texts, func(text string) bool {
			return strings.Contains(text, path.Base(h.name))
		})
		if _, err := os.Stat(filepath.Join(filepath.Dir(o.Source), filepath.FromSlash(h.name))); !asked || err == nil {
			continue
		}
		for _, name := range append([]string{h.name}, h.needs...) {
			body, err := runtime_c.FS.ReadFile("include/" + name)
			if err != nil {
				return any, err
			}
			if err := out.put(name, string(body)); err != nil {
				return any, err
			}
		}
		any = true
	}
	return any, nil
}

// brought reports whether klabel's headers were written into a folder.
func brought(dir string) bool {
	for _, h := range shipped {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(h.name))); err == nil {
			return true
		}
	}
	return false
}
