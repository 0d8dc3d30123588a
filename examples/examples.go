// Package examples holds the programs to try, and reads what is known of them.
//
// Each folder has a function in plain C (power/power.c), a driver with its
// main function (power/driver.c), and the whole program labelled for CC, MCC
// and WM (power/power.WM.c). Beside each labelled program stands a file with
// the labels that can be covered (power/power.WM.expect), so that a campaign
// can be judged without trusting the engine that it ran.
//
// The package promises that every label listed as coverable is covered by the
// tests written in the same file, which its own tests replay natively. Labels
// listed as infeasible were not covered by an exploration that ended, and no
// written test may hit them. Limits: nothing here runs an engine.
package examples

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"klabel/label"
)

// Program is a labelled example.
type Program struct {
	Name       string // "power"
	Criterion  string // "WM"
	File       string // the labelled program, driver included
	Plain      string // the function alone
	Coverable  []label.ID
	Infeasible []label.ID
	Tests      [][]string // inputs as NAME=V,V,...; together they cover Coverable
}

// All reads the examples below a folder, ordered by file name.
func All(root string) ([]Program, error) {
	files, err := filepath.Glob(filepath.Join(root, "*", "*.expect"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no examples below %s", root)
	}
	sort.Strings(files)
	var out []Program
	for _, f := range files {
		p, err := read(f)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func read(file string) (Program, error) {
	base := strings.TrimSuffix(filepath.Base(file), ".expect")
	name, crit, ok := strings.Cut(base, ".")
	if !ok {
		return Program{}, fmt.Errorf("%s: the name is not NAME.CRITERION.expect", file)
	}
	dir := filepath.Dir(file)
	p := Program{
		Name: name, Criterion: crit,
		File:  filepath.Join(dir, base+".c"),
		Plain: filepath.Join(dir, name+".c"),
	}
	f, err := os.Open(file)
	if err != nil {
		return Program{}, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		words := strings.Fields(sc.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		switch words[0] {
		case "coverable":
			p.Coverable, err = ids(words[1:])
		case "infeasible":
			p.Infeasible, err = ids(words[1:])
		case "test":
			p.Tests = append(p.Tests, words[1:])
		default:
			err = fmt.Errorf("unknown word %q", words[0])
		}
		if err != nil {
			return Program{}, fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return p, sc.Err()
}

// ids reads label numbers and ranges of them: "1", "3-7".
func ids(words []string) ([]label.ID, error) {
	var out []label.ID
	for _, w := range words {
		a, b, isRange := strings.Cut(w, "-")
		first, err := strconv.ParseUint(a, 10, 24)
		if err != nil {
			return nil, fmt.Errorf("%q is not a label or a range of labels", w)
		}
		last := first
		if isRange {
			if last, err = strconv.ParseUint(b, 10, 24); err != nil || last < first {
				return nil, fmt.Errorf("%q is not a range of labels", w)
			}
		}
		for id := first; id <= last; id++ {
			out = append(out, label.ID(id))
		}
	}
	return out, nil
}
