package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"klabel/project"
)

var update = flag.Bool("update", false, "write docs/project-file.md anew")

// notInFile are flags that make sense on a command line alone.
var notInFile = map[string]string{
	"run project": "", "run no-project": "", "run fresh": "forgets results", "run format": "of one print",
	"run all": "of one print", "run report": "of one call", "run seek-failures": "of one call",
	"driver project": "", "driver variant": "of one print", "driver no-project": "", "driver whole": "of one print",
	"annotate project": "", "annotate no-project": "", "annotate labels": "a file of one call",
	"annotate in-place-copy": "a folder of one call",
	"annotate root":          "goes with in-place-copy", "annotate first-id": "of one call",
	"compare project": "", "compare no-project": "", "compare modes": "what is compared",
	"compare engines": "what is compared",
	"run recheck":     "of one call",
	"compare format":  "of one print",
	"replay project":  "", "replay no-project": "", "replay tests": "what is measured",
	"replay c-tests": "what is measured", "replay format": "of one print",
	"labels project": "", "labels no-project": "", "labels status": "of one print", "labels format": "of one print",
	"labels objectives": "of one print",
	"labels criterion":  "of one print", "labels show": "of one print",
	"run cluster": "of one machine's place", "run listen": "of one machine's place", "run metrics": "of one run",
	"run secret":   "must not be read by others",
	"compare each": "what is compared", "compare repeat": "of one comparison", "compare svg": "of one comparison",
	"run existing-run":   "a command of the user's, whoever wrote the file",
	"instrument project": "", "instrument no-project": "",
	"prune project": "", "prune no-project": "", "prune format": "of one print", "prune arg": "args",
	"prune open": "of one call", "prune cache": "of the user",
	"prune no-cache": "of one call", "prune goal-time": "of provers",
}

func TestKeysAndFlagsCorrespond(t *testing.T) {
	keys := map[string]bool{}
	run := newRunCmd().Flags()
	for _, k := range project.Keys() {
		if k.Flag == "" {
			continue
		}
		keys[k.Flag] = true
		if run.Lookup(k.Flag) == nil {
			t.Errorf("key %s has no flag --%s", k.Name, k.Flag)
		}
	}
	for _, name := range []string{"run", "compare", "replay", "labels", "instrument", "prune", "driver", "annotate"} {
		cmd, _, err := newRootCmd().Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			_, left := notInFile[name+" "+f.Name]
			if keys[f.Name] == left {
				t.Errorf("klabel %s --%s: in the file %v, listed as not in the file %v", name, f.Name, keys[f.Name],
					left)
			}
		})
	}
}

const docPath = "../../docs/project-file.md"

// TestProjectDoc holds the tables of the page to the flags; -update writes them.
func TestProjectDoc(t *testing.T) {
	run := newRunCmd().Flags()
	tables := map[string]*strings.Builder{"": {}, "inputs": {}}
	for _, b := range tables {
		b.WriteString("\n| key | type | meaning |\n|---|---|---|\n")
	}
	for _, k := range project.Keys() {
		kind, usage := "list of strings", ""
		switch k.Name {
		case "files":
			usage = "the C files, when the command line names none; patterns are expanded"
		case "args":
			usage = "arguments of the program under test, when nothing stands after `--`"
		default:
			f := run.Lookup(k.Flag)
			if f == nil {
				t.Fatalf("no flag for %s", k.Name)
			}
			_, usage = pflag.UnquoteUsage(f)
			usage = strings.TrimSuffix(usage, " (repeatable)")
			if !k.List {
				kind = map[string]string{"bool": "true or false", "string": "string",
					"duration": "string, a time: \"30s\"", "int": "number", "int64": "number",
					"float64": "number"}[f.Value.Type()]
			}
		}
		fmt.Fprintf(tables[k.Table], "| `%s` | %s | %s |\n", k.Name, kind, strings.ReplaceAll(usage, "|", "\\|"))
	}
	page, err := os.ReadFile(docPath)
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for name, b := range tables {
		begin, end := "<!-- keys "+name+" -->\n", "\n<!-- end "+name+" -->"
		i, j := strings.Index(text, begin), strings.Index(text, end)
		if i < 0 || j < i {
			t.Fatalf("%s: no place for the keys of %q", docPath, name)
		}
		text = text[:i+len(begin)] + b.String() + text[j:]
	}
	if text == string(page) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the flags say; go test ./cmd/klabel -run TestProjectDoc -update writes it", docPath)
	}
	if err := os.WriteFile(docPath, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
