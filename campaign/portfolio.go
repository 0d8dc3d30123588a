package campaign

// portfolio lists search heuristics in the order in which a portfolio takes
// them: each differs from those before in what it is good at.
var portfolio = [][]string{
	{"random-path", "nurs:covnew"},
	{"nurs:covnew"},
	{"dfs"},
	{"nurs:md2u"},
	{"bfs"},
	{"random-state"},
	{"nurs:qc"},
	{"nurs:depth"},
}

// nativePortfolio is the same for the native engine; the first is its default.
var nativePortfolio = [][]string{nil, {"dfs"}, {"random-path"}, {"covnew"}, {"bfs"}}

// searchers returns the heuristics of the i-th engine. What the user chose goes
// to a single engine whole, and is dealt out one by one to a portfolio.
func (c *campaign) searchers(i int) []string {
	chosen := c.job.Searchers
	switch {
	case c.job.Portfolio == 1:
		return chosen
	case len(chosen) > 0:
		return []string{chosen[i%len(chosen)]}
	case c.job.Engine == "native":
		return nativePortfolio[i%len(nativePortfolio)]
	}
	return portfolio[i%len(portfolio)]
}
