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

	"klabel/csource"
	"klabel/engine"
	"klabel/instrument"
	"klabel/label"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// program is the labelled program: its units and what is known of them all.
type program struct {
	units     []*csource.Unit
	flags     [][]string // of each unit, for compiling the instrumented text
	linkFlags []string   // -l, -L and -Wl, of all
	labels    []label.Label
	maxID     label.ID
	hash      string
	verifier  bool // uses __VERIFIER_* functions
	warnings  []string
}

// ErrNoLabels and ErrNoMain tell a caller what a program lacks.
var (
	ErrNoLabels = errors.New("no labels")
	ErrNoMain   = errors.New("no main function")
)

// load reads the sources and gathers their labels. All that is wrong with the
// labels is said at once, before anything runs.
func load(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job) (*program, error) {
	p := &program{}
	for _, s := range j.Sources {
		flags := append(append([]string{}, j.Flags...), s.Flags...)
		u, err := csource.Load(ctx, s.Path, csource.Options{
			Clang: clang, Flags: flags, LabelMacros: j.LabelMacros, IncludeDirs: []string{rt.Include},
		})
		if err != nil {
			return nil, err
		}
		p.units = append(p.units, u)
		compile, link := splitFlags(flags)
		p.flags = append(p.flags, compile)
		p.linkFlags = append(p.linkFlags, link...)
	}
	if err := p.gather(); err != nil {
		return nil, err
	}
	if len(p.labels) == 0 {
		return nil, fmt.Errorf("%s: %w in it\nhint: write cov_label(EXPR, ID, \"TAG\"), or let --criteria CC,MCC,WM write them", j.Sources[0].Path, ErrNoLabels)
	}
	if !p.hasMain() {
		return nil, fmt.Errorf("%s: %w\nhint: --function NAME writes a driver for a function", j.Sources[0].Path, ErrNoMain)
	}
	return p, nil
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
	for _, u := range p.units {
		for _, w := range u.LabelWarnings() {
			p.warnings = append(p.warnings, w.String())
		}
		if bytes.Contains(u.Text, []byte("__VERIFIER_")) || bytes.Contains(u.Text, []byte("reach_error")) {
			p.verifier = true
		}
	}
	label.Sort(p.labels)
	p.hash = p.sum()
	return nil
}

func (p *program) hasMain() bool {
	for _, u := range p.units {
		for _, f := range u.Functions() {
			if f.Name == "main" {
				return true
			}
		}
	}
	return false
}

// sum identifies what decides the program's behaviour: text and flags.
func (p *program) sum() string {
	h := sha256.New()
	for i, u := range p.units {
		fmt.Fprintf(h, "%d %q\n", len(u.Text), p.flags[i])
		h.Write(u.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// rewrite writes every unit's text for a mode and returns the files, the one
// with main first.
func (p *program) rewrite(l layout, mode engine.Mode, stem string) (files []string, flags [][]string, err error) {
	type out struct {
		file  string
		flags []string
		main  bool
	}
	var outs []out
	for i, u := range p.units {
		text, err := instrument.Rewrite(u, instrument.Options{Mode: mode, MaxID: p.maxID})
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
		o := out{file: path, flags: p.flags[i]}
		for _, f := range u.Functions() {
			o.main = o.main || f.Name == "main"
		}
		outs = append(outs, o)
	}
	sort.SliceStable(outs, func(i, j int) bool { return outs[i].main && !outs[j].main })
	for _, o := range outs {
		files = append(files, o.file)
		flags = append(flags, o.flags)
	}
	return files, flags, nil
}

// splitFlags keeps, of the flags for a source, those that still matter for its
// preprocessed text (the language and the machine, not includes and macros), and
// those for the linker.
func splitFlags(flags []string) (compile, link []string) {
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		switch {
		case slices.Contains([]string{"-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-MF", "-MT", "-MQ"}, f):
			i++
		case hasAnyPrefix(f, "-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-M", "-W", "-O") && !strings.HasPrefix(f, "-Wl,"):
		case hasAnyPrefix(f, "-l", "-L", "-Wl,"), f == "-pthread":
			link = append(link, f)
		default:
			compile = append(compile, f)
		}
	}
	return compile, link
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
