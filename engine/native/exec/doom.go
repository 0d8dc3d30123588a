package exec

// A choice at the beginning of a path may doom it: with a pointer that is NULL every run
// ends in the same error, whatever else it is given. Searchers meet the paths behind
// such a choice first, for they are the shortest, and there are as many as there are
// other choices. So, when nothing but errors that are known was met for a while, paths
// are preferred of which the fewest choices have led nowhere else so far.

const (
	doomAfter = 64 // paths in a row that end in errors which are known
	doomLeast = 16 // of these behind a choice
	doomCosts = 64 // how much farther from a label a path seems, for each choice
)

// died notes that a path has ended in an error that was met before.
func (ex *Engine) died(st *State) {
	ex.vain++
	for n := st.node; n != nil && !n.lives; n = n.parent {
		n.dead++
	}
}

// lived notes that a path has come to another end. What has a living node below lives, too.
func (ex *Engine) lived(st *State) {
	ex.vain = 0
	for n := st.node; n != nil && !n.lives; n = n.parent {
		n.lives = true
	}
}

func (n *treeNode) doomed() bool { return !n.lives && n.dead >= doomLeast }

// dooms counts the choices of a state behind which nothing else was met than errors that are known.
func dooms(st *State) (count int) {
	for n := st.node; n != nil && !n.lives; n = n.parent {
		if n.doomed() {
			count++
		}
	}
	return count
}

// doomCost is what a state's choices add to its distance from labels.
func (ex *Engine) doomCost(st *State) float64 {
	if ex.vain < doomAfter {
		return 0
	}
	return float64(doomCosts * dooms(st))
}
