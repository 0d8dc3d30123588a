package linkage

import (
	"slices"

	"klabel/csource"
)

// Linkable finds the units, of which the definitions are, that can be linked with one of them, and the names of its
// own that have to give way to what it needs.
func (g Definitions) Linkable(units []*csource.Unit, unit int) (others []int, renamed []string) {
	order := g.needed(units, unit)
	needs := len(order)
	for i := range units {
		if i != unit && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	taken := map[string]int{}
	for n, i := range order {
		clash, own := false, []string(nil)
		for name := range g.units[i] {
			k, ok := taken[name]
			clash = clash || ok && !g.same(name, i, k)
			if _, ok := g.units[unit][name]; ok && !g.same(name, i, unit) {
				own = append(own, name)
			}
		}
		if clash || len(own) > 0 && n >= needs {
			continue
		}
		renamed = append(renamed, own...)
		others = append(others, i)
		for name := range g.units[i] {
			taken[name] = i
		}
	}
	slices.Sort(renamed)
	return others, renamed
}

// same reports whether what two units define by a name is one variable: of a header that both include, and without a
// first value.
func (g Definitions) same(name string, i, k int) bool {
	return g.units[i][name] == g.units[k][name] && !g.once[i][name]
}

// Common reports whether units can be linked together only as C was once linked, where several may define a variable
// that has no first value.
func (g Definitions) Common(units []int) bool {
	first := map[string]int{}
	for _, i := range units {
		for name := range g.units[i] {
			if k, ok := first[name]; ok && g.same(name, i, k) {
				return true
			}
			first[name] = i
		}
	}
	return false
}

// needed are the units that define what a unit mentions, what those mention, and
// so on.
func (g Definitions) needed(units []*csource.Unit, unit int) (order []int) {
	for queue := []int{unit}; len(queue) > 0; queue = queue[1:] {
		mentioned := units[queue[0]].Mentioned()
		for i, own := range g.units {
			if i == unit || slices.Contains(order, i) {
				continue
			}
			for name := range own {
				if _, ok := g.units[queue[0]][name]; mentioned[name] && !ok {
					order, queue = append(order, i), append(queue, i)
					break
				}
			}
		}
	}
	return order
}
