package prune

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"klabel/csource"
	"klabel/label"
)

// localLimit is how long a function is explored alone: without what the driver
// says of its inputs, many have no end.
const localLimit = time.Second

// native has klabel's engine explore every path: of the program, then of each
// function with open labels by itself, with arguments and variables that hold
// anything. What a complete exploration did not reach is infeasible. The function's answer holds
// for the program because nothing that a caller could set up is left out: where
// that cannot be said, the function is not looked at alone; at last, each predicate is.
func (j *job) native(ctx context.Context) error {
	if j.Alone {
		j.predicates(ctx)
		return nil
	}
	if j.Explored {
		j.predicates(ctx)
		j.surroundings(ctx)
		return nil
	}
	var err error
	if !j.Open {
		complete := false
		if complete, err = j.nativeWhole(ctx); complete {
			return nil // of what it left open, a part alone says no more
		}
	}
	for i, f := range j.p.order {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		open := j.openIn(f)
		if len(open) == 0 || f.Name == "main" {
			continue
		}
		text, why := j.localDriver(f)
		if why != "" {
			j.note("native: %s is not explored alone: %s", f.Name, why)
			continue
		}
		o := j.CSource
		o.Flags = f.unit.Flags
		u, err := csource.Parse(ctx, fmt.Sprintf("local%d.c", i), text, o)
		if err != nil {
			j.note("native: %s is not explored alone: %s", f.Name, oneLine(err))
			continue
		}
		j.explore(ctx, fmt.Sprintf("local%d", i), u, open, min(time.Until(deadline(ctx))/4, localLimit),
			"reaches it with the predicate true and ends normally, whatever the arguments and variables of "+f.Name)
	}
	j.predicates(ctx)
	j.surroundings(ctx)
	return err
}

// nativeWhole explores the program from main, for half of the time.
func (j *job) nativeWhole(ctx context.Context) (complete bool, err error) {
	switch {
	case len(j.p.units) != 1 || !j.p.hasMain:
		return false, standBack("the program is not one file with a main function")
	case j.p.mainArgs:
		return false, standBack("main takes arguments")
	case j.p.restless():
		return false, standBack("it has volatile variables, which hold what nobody knows")
	case j.p.early:
		return false, standBack("functions may run before or after main")
	}
	var open []*labelSite
	for _, l := range j.p.labels {
		if j.open(l.ID) {
			open = append(open, l)
		}
	}
	if len(open) == 0 || ctx.Err() != nil {
		return false, ctx.Err()
	}
	return j.explore(ctx, "whole", j.p.units[0], open, time.Until(deadline(ctx))/2,
		"of the program reaches it with the predicate true and ends normally"), nil
}

func (j *job) openIn(f *function) []*labelSite {
	var open []*labelSite
	for _, l := range f.labels {
		if j.open(l.ID) {
			open = append(open, l)
		}
	}
	return open
}

// explore has the engine explore a unit, and reports whether it came to the end.
func (j *job) explore(ctx context.Context, name string, u *csource.Unit, open []*labelSite, limit time.Duration,
	none string) (complete bool) {
	start := time.Now()
	key := j.key("native", string(u.Text))
	var x Exploration
	cached := j.cached(key, &x)
	if !cached {
		ectx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		dir := j.file(name)
		os.RemoveAll(dir)
		if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
			j.note("native: %v", err)
			return false
		}
		var err error
		x, err = j.Explore(ectx, u, dir)
		if err != nil {
			j.note("native: %s: %s", name, oneLine(err))
			return false
		}
		if x.Complete {
			j.keep(key, x) // another time there may be more of it
		}
	}
	if !x.Complete {
		if x.Note != "" {
			j.note("native: %s is not explored completely: %s", name, x.Note)
		}
		return false
	}
	infeasible := map[label.ID]bool{}
	for _, id := range x.Infeasible {
		infeasible[id] = true
	}
	each := time.Since(start).Seconds() / float64(len(open))
	for _, l := range open {
		if infeasible[l.ID] && j.open(l.ID) {
			j.found(Finding{ID: l.ID, Status: label.Infeasible, Method: Native, Step: 1, Text: "no path " + none,
				Seconds: each, Cached: cached})
		}
	}
	return true
}
