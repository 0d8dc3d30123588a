package campaign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"klabel/label"
	"klabel/linkage"
	"klabel/report"
	"klabel/store"
)

// explain gives every label that is unknown the reason that helps most: what
// stands between it and a test, and what was tried.
func (c *session) explain(snap *store.Snapshot, late map[linkage.Place]string) error {
	reached := map[label.Position]bool{} // places where some label was satisfied
	for _, l := range snap.Labels {
		if l.Status == label.Covered {
			reached[l.Position] = true
		}
	}
	why := map[label.ID]store.Reason{}
	for _, l := range snap.Labels {
		if l.Status == label.Unknown {
			why[l.ID] = store.Reason{Method: "campaign", Text: c.reason(l, reached[l.Position], late)}
		}
	}
	return c.st.Explain(why)
}

// reason is why one label is unknown; late are functions that had no turn.
func (c *session) reason(l store.LabelState, reached bool, late map[linkage.Place]string) string {
	c.judge.mu.Lock()
	defer c.judge.mu.Unlock()
	if f, ok := c.judge.failing[l.ID]; ok {
		text := fmt.Sprintf("reached only by failing tests: %s (%s)", f.reason, f.test)
		if proof, yes := c.barred[l.ID]; yes {
			text += fmt.Sprintf("; no run that ends normally meets it, says %s: %s", proof.Method, proof.Text)
		} else if old := c.memory.reasons[l.ID]; strings.HasPrefix(old, text) {
			return old // with a proof that was not looked for again
		}
		return text
	}
	if why := c.survived[l.ID]; why != "" {
		return why
	}
	if c.judge.claimed[l.ID] {
		return "the program claims to meet it; a second run, watched from outside and with other bytes in memory " +
			"that nobody has written to, does not show that"
	}
	if why, yes := c.judge.recheck.notConfirmed(l.ID); yes {
		return why
	}
	at, known := c.prog.where[l.ID]
	if old, ok := c.memory.reasons[l.ID]; ok && !c.triedFor(at) {
		return old // what was tried then was not tried again
	}
	var own []entry
	for _, e := range c.prog.all() {
		if known && (!e.ownMain() && at == e.place() || e.ownMain() && !c.prog.image.open()) {
			own = append(own, e)
		}
	}
	if old, ok := c.memory.former[l.ID]; ok && known && len(own) == 0 && c.prog.resting[at.Name] {
		return old
	}
	var parts []string
	tests, failed := 0, 0
	var end string
	for _, e := range own {
		if t := c.judge.tallies[e.name]; t != nil {
			tests += t.normal + t.failed
			failed += t.failed
			end = mostOf(t.reasons, end)
		}
	}
	if failed > 0 && failed == tests {
		if tests == 1 {
			parts = append(parts, "the one test ends in "+end)
		} else {
			parts = append(parts, fmt.Sprintf("all %d tests end in %s", tests, end))
		}
	}
	explored, narrowed, assumed := c.exploredWithin(own)
	switch undecided := c.undecidedAbout(l.ID, own); {
	case undecided != "":
		parts = append(parts, "reached, but "+undecided)
	case explored && len(assumed) > 0 && len(narrowed) == len(assumed):
		parts = append(parts, "infeasible under "+strings.Join(assumed, ", "))
	case explored && len(narrowed) > 0:
		parts = append(parts, "not within: "+strings.Join(narrowed, ", "))
	case l.Reason != nil && l.Reason.Method == "replay":
		parts = append(parts, l.Reason.Text)
	case reached:
		parts = append(parts, "reached, its predicate not satisfied")
	default:
		parts = append(parts, "not reached")
	}
	if why := late[at]; known && why != "" {
		parts = append(parts, why)
	}
	if known && len(own) == 0 && c.job.AllFunctions {
		for name, why := range c.prog.leftOut {
			if name == at.Name || strings.HasSuffix(name, ":"+at.Name) {
				parts = append(parts, at.Name+" has no entry: "+why)
			}
		}
	}
	return strings.Join(parts, "; ")
}

// undecidedAbout is why an engine whose paths have reached a label could not decide it: of the label's own entries the
// last variant that says so, or of others where it has none.
func (c *session) undecidedAbout(id label.ID, own []entry) (why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range own {
		if w := c.undecided[e.name][id]; w != "" {
			why = w
		}
	}
	if len(own) > 0 {
		return why
	}
	for _, name := range slices.Sorted(maps.Keys(c.undecided)) {
		if w := c.undecided[name][id]; w != "" {
			return w
		}
	}
	return ""
}

// exploredWithin reports whether the plainest entry that was explored to its end
// left something out, and what.
func (c *session) exploredWithin(own []entry) (explored bool, narrowed, assumed []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range own {
		if c.explored[e.name] {
			explored = true
			narrowed, assumed = c.leavesOut(e), e.assumed // of the last variant, which leaves out least
		}
	}
	return explored, narrowed, assumed
}

func mostOf(reasons map[string]int, best string) string {
	most := 0
	for _, r := range slices.Sorted(maps.Keys(reasons)) {
		if reasons[r] > most {
			best, most = r, reasons[r]
		}
	}
	return best
}

// functionRows sums up each function that the campaign was asked for.
func (c *session) functionRows(snap *store.Snapshot) []report.FunctionRow {
	status := map[label.ID]store.LabelState{}
	for _, l := range snap.Labels {
		status[l.ID] = l
	}
	kept := map[string]int{}
	for _, t := range c.kept(snap) {
		kept[t.Entry]++
	}
	broken := map[label.ID]bool{}
	for _, x := range snap.Contradictions {
		broken[x.Label] = true
	}
	paired, conditions := pairedLabels(snap), conditionCounter(snap)
	var out []report.FunctionRow
	for _, t := range c.prog.asked {
		r := t.row
		r.Status = report.Done
		reasons := map[string]int{}
		for _, id := range c.prog.byPlace[t.place()] {
			l := status[id]
			if broken[id] {
				r.Contradictions++
			}
			if paired[id] || l.Status == label.Deselected {
				continue
			}
			add(&r.Labels, store.State{Status: l.Status})
			if l.Status == label.Unknown && l.Reason != nil {
				reasons[l.Reason.Text]++
			}
		}
		conditions(c.prog.byPlace[t.place()], &r.Labels, reasons)
		r.Reason = mostOf(reasons, "")
		for _, e := range c.prog.all() {
			if e.target != t.name {
				continue
			}
			x := report.EntryRow{Name: e.name, Narrowed: c.leavesOut(e), Complete: c.explored[e.name],
				Tests: kept[e.name]}
			c.judge.mu.Lock()
			y := c.judge.tallyOf(e)
			x.Seconds, x.Paths = y.seconds, y.paths
			c.judge.mu.Unlock()
			r.Entries = append(r.Entries, x)
			r.Tests.Kept += x.Tests
			r.Tests.RuntimeErrors += y.failed
			r.Tests.Generated += y.normal + y.failed
			r.Seconds = round(r.Seconds + x.Seconds)
		}
		if why := c.prog.leftOut[t.name]; why != "" && r.Tests.Kept == 0 {
			r.Entries = append(r.Entries, report.EntryRow{Name: t.name, Reason: why})
			if r.Labels.Covered == 0 {
				r.Status, r.Reason = report.LeftOut, why
			}
		}
		out = append(out, r)
	}
	return out
}
