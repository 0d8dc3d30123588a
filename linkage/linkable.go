package linkage

import (
	"slices"

	"klabel/csource"
)

// Linkable finds the units, of which the definitions are, that one of them needs to be linked, and those that define
// what is mentioned besides, with all that they need. It tells the names of its own that have to give way to what it
// needs, and which units it does without: they define what one before them defines. Where the assembler gives names,
// nobody knows what is needed: all are taken.
func (g Definitions) Linkable(units []*csource.Unit, unit int, mentioned map[string]bool) (others, without []int,
	renamed []string) {
	order := g.needed(units, unit, []int{unit})
	needs := len(order)
	var more []int
	for i, own := range g.units {
		if i != unit && !slices.Contains(order, i) && (g.named || g.alone[i] ||
			anyOf(own, func(name string) bool { return mentioned[name] })) {
			more = append(more, i)
		}
	}
	for _, i := range slices.Concat(more, g.needed(units, unit, more)) {
		if !slices.Contains(order, i) {
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
			without = append(without, i)
			continue
		}
		renamed = append(renamed, own...)
		others = append(others, i)
		for name := range g.units[i] {
			taken[name] = i
		}
	}
	slices.Sort(renamed)
	return others, without, renamed
}

func anyOf(own map[string]string, f func(name string) bool) bool {
	for name := range own {
		if f(name) {
			return true
		}
	}
	return false
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

// needed are the units that define what some mention, what those mention, and so on, but for one.
func (g Definitions) needed(units []*csource.Unit, but int, of []int) (order []int) {
	for queue := of; len(queue) > 0; queue = queue[1:] {
		from := queue[0]
		mentioned := units[from].Mentioned()
		for i, own := range g.units {
			if i == but || i == from || slices.Contains(order, i) {
				continue
			}
			if anyOf(own, func(name string) bool {
				_, ok := g.units[from][name]
				return mentioned[name] && !ok
			}) {
				order, queue = append(order, i), append(queue, i)
			}
		}
	}
	return order
}
