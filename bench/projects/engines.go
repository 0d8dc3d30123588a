package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// comparison is what several engines came to on one project.
type comparison struct {
	name    string
	labels  int
	covered map[string][]int // by engine, sorted
	lost    map[string]int   // finds of the fuzzer that the replay did not confirm
}

// compare runs every engine on a project, repeat times. The order changes from one
// time to the next, so that what else the machine does meets all of them.
func (b *bench) compare(ctx context.Context, dir string) (c comparison, err error) {
	c.covered, c.lost = map[string][]int{}, map[string]int{}
	for n := range b.repeat {
		for i := range b.engines {
			engine := b.engines[(i+n)%len(b.engines)]
			r, err := b.project(ctx, dir, engine, fmt.Sprintf("-%s-%d", engine, n+1))
			if err != nil {
				return c, fmt.Errorf("%s: %w", engine, err)
			}
			c.name, c.labels = r.name, r.result.Labels.Total
			c.covered[engine] = append(c.covered[engine], r.result.Labels.Covered)
			for _, note := range r.result.Notes {
				lost := 0
				fmt.Sscanf(note, "finds of the fuzzer that the replay did not confirm: %d", &lost)
				c.lost[engine] += lost
			}
		}
	}
	for _, v := range c.covered {
		slices.Sort(v)
	}
	return c, nil
}

func median(sorted []int) int { return sorted[len(sorted)/2] }

// behind says by how much an engine covers less than the best of the others.
func (c comparison) behind(engine string) (by int) {
	for other, v := range c.covered {
		if other != engine {
			by = max(by, median(v)-median(c.covered[engine]))
		}
	}
	return by
}

// engineTable prints medians, with the least and the most, and sums.
func (b *bench) engineTable(all []comparison) {
	fmt.Printf("| project | labels | %s |\n|---|--:|%s\n", strings.Join(b.engines, " | "),
		strings.Repeat("---|", len(b.engines)))
	labels, sums := 0, map[string]int{}
	for _, c := range all {
		fmt.Printf("| %s | %d |", c.name, c.labels)
		labels += c.labels
		for _, e := range b.engines {
			v := c.covered[e]
			sums[e] += median(v)
			fmt.Printf(" %d", median(v))
			if len(v) > 1 {
				fmt.Printf(" (%d to %d)", v[0], v[len(v)-1])
			}
			if by := c.behind(e); by > 0 {
				fmt.Printf(", behind by %d", by)
			}
			if c.lost[e] > 0 {
				fmt.Printf(", %d finds lost", c.lost[e])
			}
			fmt.Print(" |")
		}
		fmt.Println()
	}
	fmt.Printf("| all | %d |", labels)
	for _, e := range b.engines {
		fmt.Printf(" %d |", sums[e])
	}
	fmt.Println()
}
