package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"klabel/csource"
	"klabel/drivers"
	"klabel/fault"
	"klabel/linkage"
	"klabel/report"
	"klabel/toolchain"
)

// target is a function that gets entries of its own.
type target struct {
	name     string // as people and job files name it: FILE:NAME where NAME alone says too little
	function string // what it is called in C
	unit     int
	row      report.FunctionRow
}

func (t target) place() linkage.Place { return linkage.Place{Unit: t.unit, Name: t.function} }

// targets lists the functions that the job wants entries for: the one that it
// names, or those that the sources and headers of the user's define, each once.
// Without either the program runs from its own main, and there is none.
func (p *program) targets(j *Job) ([]target, error) {
	switch {
	case j.Function != "":
		u, f, err := drivers.Find(p.units, j.Function)
		if err != nil {
			return nil, err
		}
		return []target{{name: j.Function, function: f.Name, unit: slices.Index(p.units, u), row: rowOf(f)}}, nil
	case !j.AllFunctions:
		return nil, nil
	}
	for _, globs := range [][]string{j.Only, j.Skip} {
		for _, g := range globs {
			if !doublestar.ValidatePattern(g) {
				return nil, fault.WithHint(fault.Usagef("%q is not a pattern", g), "* and ? match, [a-z] is a set")
			}
		}
	}
	var out []target
	defined := map[string]int{}
	places := map[string]bool{}
	mains := 0
	for i, u := range p.units {
		if p.sources[i].Stubs {
			continue
		}
		for _, f := range u.Functions() {
			at := f.Origin.Position().String() + " " + f.Name
			if f.Origin.System || places[at] {
				continue
			}
			places[at] = true
			if f.Name == "main" {
				mains++
			}
			defined[f.Name]++
			if len(j.Only) > 0 && !matches(j.Only, f.Name) || matches(j.Skip, f.Name) {
				continue
			}
			out = append(out, target{name: f.Name, function: f.Name, unit: i, row: rowOf(f)})
		}
	}
	if mains != 1 || defined["main"] == len(defined) && (len(p.modules) > 0 || p.mainAlone()) {
		// The mains of several programs are none of this one's; a main alone is run as it is.
		out = slices.DeleteFunc(out, func(t target) bool { return t.function == "main" })
		delete(defined, "main")
	}
	if len(out) == 0 {
		if len(defined) == 0 {
			err := fault.Usagef("%s: no function is defined", p.sources[0].Path)
			if mains > 0 {
				err = fault.Usagef("%s: %w", p.sources[0].Path, ErrOnlyMain)
			}
			return nil, errors.Join(append(p.broken, err)...) // where all is said of what others would define
		}
		return nil, fault.Usagef("no function matches --functions %s", strings.Join(j.Only, ","))
	}
	seen := map[string]bool{}
	for i := range out {
		t := &out[i]
		if defined[t.function] > 1 {
			t.name = filepath.Base(t.row.File) + ":" + t.function
			if seen[t.name] {
				t.name = p.units[t.unit].Path + ":" + t.function
			}
			seen[t.name] = true
			t.row.Name = t.name
		}
	}
	return out, nil
}

// orDefault takes the criterion that the job has for sources without a label,
// where it names none.
func (p *program) orDefault(j *Job) error {
	if j.Unlabelled == nil || len(j.Criteria)+len(j.Goal.Criteria) > 0 || j.Goal.ErrorFunction != "" ||
		len(p.modules) > 0 || !slices.ContainsFunc(p.units, definesAny) {
		return nil
	}
	if calls, err := csource.AllLabels(p.units...); err != nil || len(calls) > 0 {
		return err
	}
	j.Unlabelled(j)
	p.warnings = append(p.warnings, fmt.Sprintf("no labels in it: the criterion is %s; --criteria names others",
		strings.Join(j.Criteria, ", ")))
	return nil
}

func definesAny(u *csource.Unit) bool { return len(u.Functions()) > 0 }

// orAll makes every function of a library a way into it, where the job has
// nothing else in mind, those of a program that takes no input too, and its main
// that into a program that has nothing else.
func (p *program) orAll(ctx context.Context, clang *toolchain.Clang, j *Job) error {
	if j.AllFunctions && len(j.Only)+len(j.Skip) == 0 && p.mainAlone() {
		j.AllFunctions = false
		return nil
	}
	if j.WithoutMain == nil || j.AllFunctions || len(p.modules) > 0 {
		return nil
	}
	why := "no file defines main: every function is a way in, as with --all-functions"
	mains := p.mains()
	if len(mains) > 0 && len(j.Criteria) == 0 {
		return nil // whoever wrote the labels wrote the main that leads to them
	}
	if len(mains) > 1 {
		why = some(mains) + " define main: every function is a way in, as with --all-functions, and no main is"
	} else if len(mains) == 1 {
		if one, err := p.oneWay(ctx, clang, j); err != nil || !one || p.mainAlone() {
			return err
		}
		why = "main takes no input: every function is a way in, as with --all-functions (--function main for it alone)"
	}
	if err := j.everyFunction(); err != nil {
		return err
	}
	if j.AllFunctions {
		p.warnings = append(p.warnings, why)
	}
	return nil
}

// mainAlone reports whether main is all that there is to run, and in one way: volatile variables may hold anything
// before it.
func (p *program) mainAlone() bool { return p.onlyMain() && len(drivers.Volatile(p.units)) == 0 }

// onlyMain reports whether main is the only function that the sources define, and one.
func (p *program) onlyMain() bool {
	mains := 0
	for i, u := range p.units {
		for _, f := range u.Functions() {
			switch {
			case f.Origin.System || p.sources[i].Stubs:
			case f.Name != "main":
				return false
			default:
				mains++
			}
		}
	}
	return mains == 1 && len(p.modules) == 0
}

func rowOf(f *csource.Function) report.FunctionRow {
	return report.FunctionRow{Name: f.Name, File: f.Origin.File, Line: f.Origin.Line, Static: f.Static}
}

func matches(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(g string) bool {
		ok, _ := doublestar.Match(g, name)
		return ok
	})
}
