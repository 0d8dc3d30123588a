package main

import (
	"bytes"
	"cmp"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite"

	"klabel/label"
	"klabel/store"
)

// run is one run of a program in a mode, "mode" or "mode:KLEE's options".
func run(binary string, p program, mode, out string, budget time.Duration, seed int) (curve, error) {
	mode, options, _ := strings.Cut(mode, ":")
	args := []string{"run", p.file, "--engine", "klee", "--mode", mode, "--budget", budget.String(), "--no-random",
		"--no-prune", "--klee-arg=--timer-interval=50ms",
		"--klee-arg=--stats-write-interval=50ms", "--style", "none", "--fresh", "--no-project", "-o", out,
		"--seed", fmt.Sprint(seed)}
	for _, o := range strings.Fields(options) {
		args = append(args, "--klee-arg="+o)
	}
	if p.criteria != "" {
		args = append(args, "--criteria", p.criteria)
	}
	cmd := exec.Command(binary, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return curve{}, fmt.Errorf("%w: %s", err, stderr.String())
	}
	snap, err := store.Read(out)
	if err != nil {
		return curve{}, err
	}
	c, err := curveOf(snap)
	for _, r := range snap.Runs {
		budget -= r.End.Sub(r.Start)
	}
	c.over = budget > time.Second
	return c, err
}

// curveOf puts the tests of a run on KLEE's clock.
func curveOf(snap *store.Snapshot) (curve, error) {
	c := curve{total: len(snap.Labels)}
	var spent float64 // by the runs before
	seen := map[label.ID]bool{}
	for _, r := range snap.Runs {
		clock, began, err := readClock(r.Dir)
		if err != nil {
			return c, err
		}
		tests := slices.Clone(snap.Tests)
		slices.SortFunc(tests, func(a, b store.Test) int { return a.At.Compare(b.At) })
		for _, t := range tests {
			if t.Run != r.Number || t.Verdict.Outcome != label.Normal {
				continue
			}
			before := len(seen)
			for _, id := range t.Verdict.Hits {
				seen[id] = true
			}
			if len(seen) > before {
				c.points = append(c.points, point{spent + clock.processor(t.At.Sub(began).Seconds()), len(seen)})
			}
		}
		spent += clock.end()
	}
	c.end = spent
	return c, nil
}

// tick is one row of run.stats: seconds on the wall and of the processor.
type tick struct{ wall, processor float64 }

type clock []tick

// readClock reads KLEE's times, and when they began: it wrote the last of them when
// it wrote to the file for the last time.
func readClock(dir string) (c clock, began time.Time, err error) {
	path := filepath.Join(dir, "run.stats")
	fi, err := os.Stat(path)
	if err != nil {
		return nil, began, err
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: "mode=ro"}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, began, err
	}
	defer db.Close()
	rows, err := db.Query("SELECT WallTime, UserTime FROM stats ORDER BY WallTime")
	if err != nil {
		return nil, began, fmt.Errorf("%s: %w", path, err)
	}
	defer rows.Close()
	c = clock{{}}
	for rows.Next() {
		var wall, user float64
		if err := rows.Scan(&wall, &user); err != nil {
			return nil, began, err
		}
		c = append(c, tick{wall / 1e6, user / 1e6})
	}
	last := c[len(c)-1].wall
	return c, fi.ModTime().Add(-time.Duration(last * float64(time.Second))), rows.Err()
}

// processor is the processor's time at a time on the wall.
func (c clock) processor(wall float64) float64 {
	i, _ := slices.BinarySearchFunc(c, wall, func(t tick, w float64) int { return cmp.Compare(t.wall, w) })
	if i == 0 {
		return 0
	}
	if i == len(c) {
		return c.end()
	}
	a, b := c[i-1], c[i]
	return a.processor + (b.processor-a.processor)*(wall-a.wall)/max(b.wall-a.wall, 1e-9)
}

func (c clock) end() float64 { return c[len(c)-1].processor }
