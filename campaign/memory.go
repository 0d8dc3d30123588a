package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"klabel/annotate"
	"klabel/csource"
	"klabel/disk"
	"klabel/drivers"
	"klabel/label"
	"klabel/linkage"
	"klabel/runtime_c"
	"klabel/store"
	"klabel/toolchain"
)

// memory is what a campaign keeps for the next run in its directory, so that what
// has not changed costs nothing: which entries were explored to their end, or
// until nothing new came, and what they reach, as a sum.
type memory struct {
	Form    int                   `json:"form"`
	Inputs  string                `json:"inputs"`           // sum of all that decides a run; "" where it cannot be told
	Asked   []string              `json:"asked,omitempty"`  // the functions that were asked for
	Entries map[string]remembered `json:"entries"`          // by name
	Pruned  bool                  `json:"pruned,omitempty"` // provers have looked at every label that is open
	Over    bool                  `json:"over,omitempty"`   // nothing is left that was worth a slice
	All     bool                  `json:"all,omitempty"`    // and more time would change nothing
	Files   map[string]string     `json:"files,omitempty"`  // sums of what was written, by name
	Limit   limit                 `json:"limit"`            // of the time
	sums    map[string]string     // of the entries as they are now
	labels  map[label.ID]label.ID // by the number that they had
	reasons map[label.ID]string   // of open labels whose functions are as they were
	former  map[label.ID]string   // of all that were open
	carried []store.TestResult    // tests whose verdicts hold
	covered []label.ID            // labels that were covered
	proofs  map[label.ID]store.Reason
}

// remembered is an entry of earlier runs.
type remembered struct {
	Sum        string     `json:"sum"`
	Done       bool       `json:"done,omitempty"`     // nothing new came at last
	Complete   bool       `json:"complete,omitempty"` // every path was seen
	Infeasible []label.ID `json:"infeasible,omitempty"`
}

// limit is the time that a run had.
type limit struct {
	Budget   time.Duration `json:"budget"`
	Function time.Duration `json:"function,omitempty"`
}

func limitOf(j *Job) limit { return limit{j.Budget, j.FunctionBudget} }

// covers reports whether a run with this limit has done what one with the other
// would do.
func (l limit) covers(o limit) bool {
	if l.Function > 0 || o.Function > 0 {
		return o.Function > 0 && o.Function <= l.Function
	}
	return o.Budget <= l.Budget
}

const memoryForm = 1

// recallFrom reads the memory of a directory, an empty one where there is none.
func recallFrom(snap *store.Snapshot) *memory {
	m := &memory{}
	if snap == nil || !snap.Memory(m) || m.Form != memoryForm {
		m = &memory{Entries: map[string]remembered{}}
	}
	return m
}

// knows returns what is known of an entry that is as it was.
func (m *memory) knows(name string) (remembered, bool) {
	r, ok := m.Entries[name]
	return r, ok && r.Sum != "" && r.Sum == m.sums[name]
}

// renumbered are labels of earlier runs by the numbers that they have now, those that are
// no more left out.
func (m *memory) renumbered(ids []label.ID) (out []label.ID) {
	for _, id := range ids {
		if now, ok := m.labels[id]; ok {
			out = append(out, now)
		}
	}
	return out
}

// rests reports whether exploring an entry again would only do what was done.
func (c *session) rests(name string) bool {
	return c.restsAs(name, c.memory.sums[name])
}

func (c *session) restsAs(name, sum string) bool {
	r, ok := c.memory.Entries[name]
	return ok && sum != "" && r.Sum == sum && c.job.Mode.Own() &&
		(r.Complete || r.Done && c.memory.Limit.covers(limitOf(&c.job)))
}

// allRest reports whether there is nothing in the image to explore.
func (c *session) allRest() bool {
	return !slices.ContainsFunc(c.prog.image.entries, func(e entry) bool { return !c.rests(e.name) })
}

// triedFor reports whether engines have worked on a function's entries in this run.
func (c *session) triedFor(at linkage.Place) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.prog.all(), func(e entry) bool {
		return at == e.place() && c.tried[e.name]
	})
}

// reopen has all entries explored again if a label is open that was covered: engines
// passed it by, so that they have seen everything else at most. It reports whether
// there is one.
func (c *session) reopen() bool {
	lost := len(c.st.Repairs().Uncovered) > 0
	for _, id := range c.memory.covered {
		st, ok := c.st.Status(id)
		lost = lost || ok && st.Status == label.Unknown
	}
	if !lost {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.explored)
	for name, r := range c.memory.Entries {
		r.Done, r.Complete = false, false
		c.memory.Entries[name] = r
	}
	return true
}

func (c *session) sumsOf(im *image, err error) map[string]string {
	if err != nil {
		return nil
	}
	return c.prog.sumsOf(im, c.wishes(), &c.job)
}

// noteDone remembers which entries nothing new came from, and whether there is
// something left to do.
func (f *follower) noteDone(ways []*way) {
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	f.over = true
	f.plan.look(f.open)
	for _, w := range ways {
		name := w.entry.name
		f.done[name] = w.complete || w.failed || w.settled || w.slices > 0 && (w.barren > 0 || w.ended > 0) ||
			!f.anyNear(w)
		if !f.done[name] && f.plan.worth(w) > 0 {
			f.over = false
		}
	}
}

// sourceOptions are what a source is read with.
func sourceOptions(j *Job, s Source, clang *toolchain.Clang, rt runtime_c.Paths) csource.Options {
	return csource.Options{Clang: clang, Flags: slices.Concat(j.Flags, s.Flags), LabelMacros: j.LabelMacros,
		IncludeDirs: []string{rt.Include}, Keep: drivers.Named,
		Lean: len(j.Driver.Assumes) == 0} // which may use what the file does not
}

// wishes names what decides the work of every entry: tools and options.
func (c *session) wishes() string { return c.wishesOf(c.job) }

// asGiven is the job as the user gave it.
func (c *session) asGiven() Job {
	if c.joined {
		return c.given
	}
	return c.job
}

func (c *session) wishesOf(j Job) string {
	if c.build.given { // which klabel decides anew each time
		j.ProgramArgs = nil
	}
	j.Sources, j.Adapt, j.engines, j.OutputDir, j.Version = nil, nil, nil, "", ""
	j.Fresh, j.KeepAll, j.LinkObjects, j.ByFunction = false, false, false, false
	j.Budget, j.FunctionBudget, j.Parallel, j.Workers = 0, 0, 0, 0
	j.Function, j.AllFunctions, j.Only, j.Skip = "", false, nil, nil
	j.TestStyle, j.Oracle, j.Existing, j.ExistingRun = "", "", nil, ""
	j.Annotate = labelled(j.Annotate)
	compiler := ""
	if c.build.engine != nil {
		compiler = c.build.engine.Path + " " + c.build.engine.Version
	}
	return fmt.Sprintf("%s\n%s %s\n%s\n%s %s\n%+v", ownSum(), c.clang.Path, c.clang.Version, compiler,
		c.engineNames(), c.engine.Version(), j)
}

// labelled are the annotator's options without what is said elsewhere.
func labelled(o annotate.Options) annotate.Options {
	o.Clang = nil
	return o
}

// remember keeps what this run leaves to the next.
func (c *session) remember(ctx context.Context, interrupted bool) error {
	if c.passing {
		return nil
	}
	m := &memory{Form: memoryForm, Entries: map[string]remembered{}, Limit: limitOf(&c.job)}
	for name, r := range c.memory.Entries { // of entries that this image does not have
		if _, here := c.memory.sums[name]; !here {
			r.Infeasible = c.memory.renumbered(r.Infeasible)
			m.Entries[name] = r
		}
	}
	all := true
	for name, sum := range c.memory.sums {
		r := remembered{Sum: sum, Done: c.done[name], Complete: c.explored[name], Infeasible: c.proved[name]}
		if old, ok := c.memory.knows(name); ok {
			r.Done = r.Done || c.rests(name)
			r.Complete = r.Complete || old.Complete
		}
		all = all && r.Complete
		m.Entries[name] = r
	}
	m.Pruned = c.pruned
	m.Over = !interrupted && ctx.Err() == nil && (c.st.AllResolved() || c.over && !c.unfinished)
	m.All = m.Over && (c.st.AllResolved() || all)
	for _, t := range c.prog.asked {
		m.Asked = append(m.Asked, t.name)
	}
	if len(c.job.Existing) == 0 && c.job.ExistingRun == "" {
		m.Inputs = c.inputsSum(c.asGiven(), c.prog.sums, m.Asked)
	}
	var err error
	if m.Files, err = c.layout.written(); err != nil {
		return err
	}
	return c.st.SetMemory(m)
}

// written are the sums of the files that a user has of a run, by name: what the
// next run need not write again. What make has built beside them does not count.
func (l layout) written() (map[string]string, error) {
	out := map[string]string{}
	var names []string
	for _, pattern := range []string{"*.labels", "tests/*.ktest", "runtime-errors/*.ktest", "tests/c/*", "tests/c/*/*",
		"tests/*.xml", "work/replay*"} {
		found, err := filepath.Glob(filepath.Join(escapeGlob(l.dir), pattern))
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	for _, path := range names {
		fi, err := os.Lstat(path)
		if err != nil || !fi.Mode().IsRegular() || filepath.Ext(path) == disk.Part {
			continue
		}
		b, err := disk.Read(path)
		if err != nil {
			return nil, describe(err)
		}
		name, err := filepath.Rel(l.dir, path)
		if err != nil {
			return nil, err
		}
		out[name] = checksum(b)
	}
	return out, nil
}
