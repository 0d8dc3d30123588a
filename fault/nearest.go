package fault

import (
	"sort"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns up to three of the names that are close to the wanted one, the
// closest first, for hints: there may be none.
func Nearest(name string, names []string) []string {
	type scored struct {
		name string
		d    int
	}
	var all []scored
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			continue
		}
		seen[n] = true
		d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(n))
		if d <= max(2, len(name)/2) || len(name) > 2 && strings.Contains(n, name) {
			all = append(all, scored{n, d})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].d < all[j].d })
	var out []string
	for _, s := range all[:min(3, len(all))] {
		out = append(out, s.name)
	}
	return out
}
