// Command annotate measures how fast labels are put into C files: processor
// time for reading and for labelling, clang included where it folds predicates,
// megabytes a second, and peak memory.
//
//	go run ./bench/annotate [-criteria CC,DC,MCC] [-flags "-Isrc -DX=1"] FILE.c...
//
// Without -criteria it measures every family of docs/criteria.md, and all
// criteria at once. Files are preprocessed by clang first, which is not part of
// the figures. Each file is then labelled in a process of its own, on one
// processor, with memory that is new to it, as the command would. The target:
// 2 MB of preprocessed C a second for all criteria of one family on one core,
// and 250,000 lines within 30 s and 2 GB.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"klabel/csource"
	"klabel/toolchain"
)

// family is a set of criteria that belong together.
type family struct{ name, criteria string }

// families leaves out PATCH and custom, which need more than a file.
var families = []family{
	{"logic", "DC,CC,DCC,MCC,2-CC,GACC,GICC,IC,UTPC"},
	{"mutations", "WM"},
	{"structure", "FC,STMT,BBC,FCC,ELO,SLO"},
	{"data", "LIMIT-1,IDP,IOB,CB,RTE"},
	{"everything", "FC,STMT,BBC,DC,CC,DCC,MCC,2-CC,GACC,GICC,IC,UTPC,LIMIT-1,WM,IDP,IOB,CB,FCC,ELO,SLO,RTE"},
}

type config struct {
	Criteria string
	Flags    []string
	Out      string // where the labelled text goes
	Profile  string
}

// figures are what one file took.
type figures struct {
	Bytes, Lines, Labels int
	Parse, Label         float64 // seconds of processor time
	Wall                 float64
	Peak                 int64 // MB
}

func (f figures) rate() float64 { return float64(f.Bytes) / 1e6 / (f.Parse + f.Label) }

func main() {
	criteria := flag.String("criteria", "", "what to label (default: each family in turn)")
	flags := flag.String("flags", "", "compiler flags")
	each := flag.Bool("each", false, "a line for each file")
	var c config
	flag.StringVar(&c.Profile, "cpuprofile", "", "file for a profile of the last file")
	flag.StringVar(&c.Out, "o", "", "write the labelled text of the last file here")
	child := flag.String("one", "", "measure this preprocessed file in this process, and print the figures as JSON")
	flag.Parse()
	c.Criteria, c.Flags = *criteria, strings.Fields(*flags)
	var err error
	switch {
	case *child != "":
		err = one(c, *child)
	case flag.NArg() == 0:
		err = fmt.Errorf("no file is given")
	default:
		err = all(c, *each, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "annotate bench:", err)
		os.Exit(1)
	}
}

// all preprocesses the files and measures them family by family.
func all(c config, each bool, files []string) error {
	ctx := context.Background()
	tools, err := toolchain.Probe(ctx, toolchain.Want{})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "klabel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var texts []string
	for i, f := range files {
		u, err := csource.Load(ctx, f, csource.Options{Clang: tools.Clang, Flags: c.Flags})
		if err != nil {
			return err
		}
		texts = append(texts, filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(f))))
		if err := os.WriteFile(texts[i], u.Text, 0o600); err != nil {
			return err
		}
	}
	wanted := families
	if c.Criteria != "" {
		wanted = []family{{"given", c.Criteria}}
	}
	const row = "| %s | %s | %.2f | %d | %d | %.2f | %.2f | %.2f | %.2f | %d |\n"
	fmt.Println("| criteria | files | MB | lines | labels | parsing, s | labelling, s | as much as parsing | MB/s | " +
		"peak MB |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, fam := range wanted {
		c.Criteria = fam.criteria
		var sum figures
		for i, text := range texts {
			r, err := measure(c, text)
			if err != nil {
				return fmt.Errorf("%s: %w", files[i], err)
			}
			if each {
				fmt.Printf(row, fam.name, filepath.Base(files[i]), float64(r.Bytes)/1e6, r.Lines, r.Labels, r.Parse,
					r.Label, (r.Parse+r.Label)/r.Parse, r.rate(), r.Peak)
			}
			sum = figures{sum.Bytes + r.Bytes, sum.Lines + r.Lines, sum.Labels + r.Labels, sum.Parse + r.Parse,
				sum.Label + r.Label, sum.Wall + r.Wall, max(sum.Peak, r.Peak)}
		}
		fmt.Printf(row, fam.name, fmt.Sprintf("all %d", len(files)), float64(sum.Bytes)/1e6, sum.Lines, sum.Labels,
			sum.Parse, sum.Label, (sum.Parse+sum.Label)/sum.Parse, sum.rate(), sum.Peak)
	}
	return nil
}

// measure labels a text in a process of its own.
func measure(c config, text string) (f figures, err error) {
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	cmd := exec.Command(self, "-one", text, "-criteria", c.Criteria, "-flags", strings.Join(c.Flags, " "), "-o", c.Out,
		"-cpuprofile", c.Profile)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return f, err
	}
	return f, json.Unmarshal(out.Bytes(), &f)
}
