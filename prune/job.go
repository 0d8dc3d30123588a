package prune

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"klabel/csource"
	"klabel/label"
)

// job is one Run.
type job struct {
	*Options
	p   *program
	mu  sync.Mutex // guards what follows
	res *Result

	done    map[label.ID]label.Status // found here
	covered map[label.ID]bool
	hitBy   map[label.ID][]uint64  // the tests that hit a label
	always  map[label.ID]Method    // proved true whenever reached, by whom
	facts   *facts                 // what Eva knows, once it has run
	unread  map[*csource.Unit]bool // Frama-C does not read them
}

// errStandsBack says that a method's answers would not be sound here.
type errStandsBack struct{ why string }

func (e errStandsBack) Error() string { return "stands back: " + e.why }

func standBack(format string, a ...any) error { return errStandsBack{fmt.Sprintf(format, a...)} }

func (j *job) runMethod(ctx context.Context, m Method) {
	start := time.Now()
	before := len(j.res.Findings)
	run, why := j.method(m)
	st := MethodStats{Method: m, Note: why}
	if run != nil && ctx.Err() == nil {
		st.Ran = true
		if err := run(ctx); err != nil {
			st.Note = oneLine(err)
			if ctx.Err() != nil {
				st.Note = "the time for pruning is used up"
			}
			if !errors.As(err, &errUnread{}) { // that was said already
				j.note("%s: %s", m, st.Note)
			}
		}
	} else if why == "" {
		st.Note = "the time for pruning is used up"
	}
	st.Seconds = time.Since(start).Seconds()
	j.mu.Lock()
	st.Found = len(j.res.Findings) - before
	j.res.Methods = append(j.res.Methods, st)
	j.mu.Unlock()
}

func (j *job) method(m Method) (run func(context.Context) error, why string) {
	if j.p.beyond != "" {
		return nil, "nobody sees what follows of " + j.p.beyond
	}
	switch m {
	case Compiler:
		if j.Clang == nil {
			return nil, "no clang"
		}
		if f := j.narrow(); f != "" {
			return nil, "the optimiser is not told of " + f
		}
		return j.compiler, ""
	case Pairs:
		if f := j.narrow(); f != "" {
			return nil, "the optimiser is not told of " + f
		}
		return j.redundant, ""
	case Eva, WP, EvaWP:
		if j.FramaC == nil {
			return nil, "no Frama-C (on Debian and Ubuntu: apt-get install frama-c-base why3 z3 cvc4)"
		}
		if f := j.dialect(); f != "" {
			return nil, "Frama-C is not told of " + f
		}
		if n := len(j.unread); n == len(j.Units) || n > 0 && m != WP {
			return nil, "Frama-C cannot read the program"
		}
		if m != Eva && j.p.early { // main does not begin with what variables are initialized to
			return nil, "functions may run before or after main"
		}
		switch m {
		case Eva:
			return j.eva, ""
		case WP:
			return func(ctx context.Context) error { return j.wp(ctx, WP) }, ""
		}
		return func(ctx context.Context) error { return j.wp(ctx, EvaWP) }, ""
	}
	if j.Explore == nil {
		return nil, "no engine"
	}
	if f := j.unusual(); f != "" {
		return nil, "the engine is not told of " + f
	}
	return j.native, ""
}

// open reports whether a label's infeasibility is still a question.
func (j *job) open(id label.ID) bool {
	j.mu.Lock()
	done := j.done[id] == label.Infeasible || j.covered[id]
	j.mu.Unlock()
	return !done && !j.skipped(id)
}

// found reports a finding, unless the label has one that says as much.
func (j *job) found(f Finding) {
	if f.Status == label.Infeasible && !strings.Contains(f.Text, "ends normally") {
		f.Text += "; no run that ends normally meets it" // another may, before it fails
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if was, ok := j.done[f.ID]; ok && (was == label.Infeasible || f.Status != label.Infeasible) {
		return
	}
	if f.Status == label.Infeasible && j.covered[f.ID] {
		j.res.Notes = append(j.res.Notes, fmt.Sprintf("label %d is covered by a test, and %s calls it infeasible (%s)",
			f.ID, f.Method, f.Text))
	}
	j.done[f.ID] = f.Status
	j.res.Findings = append(j.res.Findings, f)
	if j.Found != nil {
		j.Found(f)
	}
}

func (j *job) note(format string, a ...any) {
	s := fmt.Sprintf(format, a...)
	j.mu.Lock()
	dup := slices.Contains(j.res.Notes, s)
	if !dup {
		j.res.Notes = append(j.res.Notes, s)
	}
	j.mu.Unlock()
	if !dup && j.Note != nil {
		j.Note(s)
	}
}

func oneLine(err error) string {
	s, _, _ := strings.Cut(err.Error(), "\n")
	return s
}

func (j *job) file(name string) string { return filepath.Join(j.WorkDir, name) }
