package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"klabel/report"
)

// table prints a row a project and their sum.
func table(rows []row) {
	fmt.Println("| project | lines | functions | labels | covered | infeasible | unknown | coverage | seconds " +
		"| MB |")
	fmt.Println("|---|--:|--:|--:|--:|---|--:|--:|--:|--:|")
	var sum row
	var labels report.Counts
	functions := 0
	sum.infeasible = map[string]int{}
	for _, r := range rows {
		print(r.name, r, r.result.Labels, len(r.result.Functions))
		sum.lines += r.lines
		sum.seconds += r.seconds
		sum.megabytes += r.megabytes
		labels, functions = labels.Plus(r.result.Labels), functions+len(r.result.Functions)
		for m, n := range r.infeasible {
			sum.infeasible[m] += n
		}
	}
	print("all", sum, labels, functions)
}

func print(name string, r row, l report.Counts, functions int) {
	share := "-"
	if feasible := l.Total - l.Infeasible; feasible > 0 {
		share = fmt.Sprintf("%.1f %%", 100*float64(l.Covered)/float64(feasible))
	}
	// Redundant labels that nothing covers say nothing of their own.
	fmt.Printf("| %s | %d | %d | %d | %d | %s | %d | %s | %.0f | %.1f |\n", name, r.lines, functions,
		l.Total, l.Covered, byMethod(l.Infeasible, r.infeasible), l.Unknown+l.Duplicate+l.Subsumed, share,
		r.seconds, r.megabytes)
}

func byMethod(all int, methods map[string]int) string {
	if all == 0 {
		return "0"
	}
	var parts []string
	for _, m := range sorted(methods) {
		parts = append(parts, fmt.Sprintf("%s %d", m, methods[m]))
	}
	return fmt.Sprintf("%d: %s", all, strings.Join(parts, ", "))
}

// causes prints why labels are unknown, over all projects, the most frequent first.
func causes(rows []row) {
	all := map[string]int{}
	in := map[string][]string{}
	for _, r := range rows {
		for c, n := range r.causes {
			all[c] += n
			in[c] = append(in[c], fmt.Sprintf("%s %d", r.name, n))
		}
	}
	fmt.Println("\n| labels | why unknown | where |")
	fmt.Println("|--:|---|---|")
	for _, c := range sorted(all) {
		fmt.Printf("| %d | %s | %s |\n", all[c], c, strings.Join(in[c], ", "))
	}
}

// sorted are the keys of counts, the most frequent first.
func sorted(counts map[string]int) []string {
	keys := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(keys, func(a, b string) int { return counts[b] - counts[a] })
	return keys
}
