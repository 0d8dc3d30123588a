package campaign

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"

	"klabel/annotate"
	"klabel/csource"
	"klabel/input"
	"klabel/instrument"
	"klabel/label"
	"klabel/runtime_c"
	"klabel/testcomp"
	"klabel/toolchain"
)

// program is the labelled program: its units and what is known of them all.
type program struct {
	units     []*csource.Unit
	flags     [][]string // of each unit, for compiling the instrumented text
	linkFlags []string   // -l, -L and -Wl, of all
	labels    []label.Label
	constant  map[label.ID]string // labels that the compiler folds to false, and why
	shared    map[label.ID]bool   // labels of headers that several units include
	maxID     label.ID
	next      label.ID // first number that the annotator left free
	hash      string
	verifier  bool // uses __VERIFIER_* functions
	warnings  []string
	inputs    *input.Driver // of a generated driver, nil otherwise
	home      int           // the unit that has the function under test, or main
}

// ErrNoLabels and ErrNoMain tell a caller what a program lacks.
var (
	ErrNoLabels = errors.New("no labels")
	ErrNoMain   = errors.New("no main function")
)

// load reads the sources, writes the labels of the job's criteria into them,
// and gathers all labels. All that is wrong with the labels is said at once,
// before anything runs. With ErrNoMain and ErrNoLabels the program is complete
// but for that.
func load(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job) (*program, error) {
	p := &program{constant: map[label.ID]string{}}
	var failed []error
	for _, s := range j.Sources {
		flags := append(append([]string{}, j.Flags...), s.Flags...)
		u, err := csource.Load(ctx, s.Path, csource.Options{
			Clang: clang, Flags: flags, LabelMacros: j.LabelMacros, IncludeDirs: []string{rt.Include},
		})
		if err != nil {
			failed = append(failed, err)
			continue
		}
		compile, link := splitFlags(flags)
		p.units = append(p.units, u)
		p.flags = append(p.flags, compile)
		p.linkFlags = append(p.linkFlags, link...)
	}
	if len(failed) > 0 {
		return nil, errors.Join(failed...)
	}
	if len(j.Criteria)+len(j.Goal.Criteria) > 0 {
		if err := p.annotate(ctx, clang, j); err != nil {
			return nil, err
		}
	}
	if j.Goal.ErrorFunction != "" {
		if err := p.labelError(ctx, j); err != nil {
			return nil, err
		}
	}
	if j.Function != "" {
		if err := p.drive(ctx, clang, rt, j); err != nil {
			return nil, err
		}
	}
	if err := p.gather(); err != nil {
		return nil, err
	}
	p.hash = p.sum(rt.Dir)
	p.home = max(slices.IndexFunc(p.units, definesMain), 0)
	if len(p.labels) == 0 {
		return p, fmt.Errorf("%s: %w in it\nhint: write cov_label(EXPR, ID, \"TAG\"), or let --criteria CC,MCC,WM write them", j.Sources[0].Path, ErrNoLabels)
	}
	if !p.hasMain() {
		return p, fmt.Errorf("%s: %w\nhint: --function NAME writes a driver for a function", j.Sources[0].Path, ErrNoMain)
	}
	return p, nil
}

// annotate puts the labels of criteria into every unit, numbered on from one
// unit to the next.
func (p *program) annotate(ctx context.Context, clang *toolchain.Clang, j *Job) error {
	o := j.Annotate
	o.Criteria, o.Clang, o.LabelMacros = append(slices.Clone(j.Criteria), j.Goal.Criteria...), clang, j.LabelMacros
	if err := annotate.CheckFunctions(p.units, o.Functions); err != nil {
		return err
	}
	if j.Function != "" && len(o.Functions) == 0 {
		o.Functions = reachable(p.units, j.Function)
	}
	for i, u := range p.units {
		if j.Sources[i].Stubs {
			continue
		}
		o.Flags = p.flags[i]
		l, err := annotate.Unit(ctx, u, o)
		if err != nil {
			return err
		}
		o.First, p.next = l.Next, l.Next
		p.warnings = append(p.warnings, l.Warnings...)
		for id, why := range l.Reasons {
			p.constant[id] = why
		}
		if p.units[i], err = csource.Parse(ctx, u.Path, l.Text, csource.Options{Flags: p.flags[i], LabelMacros: j.LabelMacros}); err != nil {
			return fmt.Errorf("the labelled text of %w", err)
		}
	}
	return nil
}

// labelError puts the one label of a property about an error function into the
// program: into the unit with main, which calls it or defines it.
func (p *program) labelError(ctx context.Context, j *Job) error {
	at := max(slices.IndexFunc(p.units, func(u *csource.Unit) bool { return u.Function(j.Goal.ErrorFunction) != nil }), 0)
	u := p.units[at]
	text := testcomp.ErrorLabel(u, j.Goal.ErrorFunction, max(p.next, 1))
	var err error
	if p.units[at], err = csource.Parse(ctx, u.Path, text, csource.Options{Flags: p.flags[at], LabelMacros: j.LabelMacros}); err != nil {
		return fmt.Errorf("the error function %s cannot be labelled: %w", j.Goal.ErrorFunction, err)
	}
	return nil
}

// reachable returns the functions that a call of root may reach, as far as the
// units define them: every defined function whose name stands in the body of
// one that is reachable.
func reachable(units []*csource.Unit, root string) []string {
	if i := strings.LastIndexByte(root, ':'); i >= 0 {
		root = root[i+1:]
	}
	type place struct {
		u *csource.Unit
		f *csource.Function
	}
	defined := map[string][]place{}
	for _, u := range units {
		for _, f := range u.Functions() {
			defined[f.Name] = append(defined[f.Name], place{u, f})
		}
	}
	names := make([]string, 0, len(defined))
	for n := range defined {
		names = append(names, n)
	}
	seen := map[string]bool{root: true}
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		for _, at := range defined[queue[0]] {
			for _, name := range names {
				if seen[name] {
					continue
				}
				for _, s := range at.u.IdentifierSpans(name) {
					if at.f.Body.Contains(s) {
						seen[name] = true
						queue = append(queue, name)
						break
					}
				}
			}
		}
	}
	var out []string
	for n := range seen {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// gather collects the labels of all units; what is wrong with any of them is
// one error.
func (p *program) gather() error {
	calls, err := csource.AllLabels(p.units...)
	if err != nil {
		return err
	}
	for _, c := range calls {
		l := c.Label()
		p.labels = append(p.labels, l)
		p.maxID = max(p.maxID, l.ID)
	}
	p.shared = map[label.ID]bool{}
	seen := map[label.ID]bool{}
	for _, u := range p.units {
		own, err := u.Labels()
		if err != nil {
			return err
		}
		for _, c := range own {
			p.shared[c.ID] = seen[c.ID]
			seen[c.ID] = true
		}
		for _, w := range u.LabelWarnings() {
			p.warnings = append(p.warnings, w.String())
		}
		if bytes.Contains(u.Text, []byte("__VERIFIER_")) || bytes.Contains(u.Text, []byte("reach_error")) {
			p.verifier = true
		}
	}
	label.Sort(p.labels)
	return nil
}

func (p *program) hasMain() bool {
	return slices.ContainsFunc(p.units, definesMain)
}

func definesMain(u *csource.Unit) bool {
	return slices.ContainsFunc(u.Functions(), func(f *csource.Function) bool { return f.Name == "main" })
}

// sum identifies what decides the program's behaviour: text and flags. Where
// klabel's own headers lie does not.
func (p *program) sum(headers string) string {
	h := sha256.New()
	for i, u := range p.units {
		text := bytes.ReplaceAll(u.Text, []byte(headers), nil)
		fmt.Fprintf(h, "%d %q\n", len(text), p.flags[i])
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// rewrite writes every unit's text for a mode and returns the files with their
// flags, the one with main first.
func (p *program) rewrite(l layout, stem string, o instrument.Options) (files []string, flags [][]string, err error) {
	o.MaxID = p.maxID
	order := make([]int, len(p.units))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return definesMain(p.units[order[a]]) && !definesMain(p.units[order[b]]) })
	for _, i := range order {
		text, err := instrument.Rewrite(p.units[i], o)
		if err != nil {
			return nil, nil, err
		}
		name := stem + ".c"
		if len(p.units) > 1 {
			name = fmt.Sprintf("%s-%d.c", stem, i+1)
		}
		path := l.work(name)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return nil, nil, describe(err)
		}
		files = append(files, path)
		flags = append(flags, p.flags[i])
	}
	return files, flags, nil
}
