package campaign

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"klabel/csource"
	"klabel/fault"
	"klabel/label"
	"klabel/toolchain"
)

// module is a file of LLVM bitcode of the program: linked as it stands into what
// engines explore and into what replays run. Its labels are those that
// runtime_c/include/klabel/bitcode.h left in it.
//
// Limits: replays do not check its code with AddressSanitizer; no prover sees it;
// an engine that has explored all of it proves nothing of its labels, whose
// predicates nothing guards.
type module struct {
	path   string
	text   []byte // LLVM assembly
	labels []label.Label
	main   bool // defines main
}

// isBitcode reports whether a source is given compiled.
func isBitcode(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".bc" || ext == ".ll"
}

// takeModules splits what a job gives into C, which it returns, and bitcode.
func (p *program) takeModules(ctx context.Context, clang *toolchain.Clang, given []Source) ([]Source, error) {
	var c []Source
	for _, s := range given {
		if !isBitcode(s.Path) {
			c = append(c, s)
			continue
		}
		m, err := readModule(ctx, clang, s.Path)
		if err != nil {
			return nil, err
		}
		p.modules = append(p.modules, m)
	}
	return c, nil
}

func readModule(ctx context.Context, clang *toolchain.Clang, path string) (module, error) {
	m := module{path: path}
	dir, err := os.MkdirTemp("", "klabel-")
	if err != nil {
		return m, describe(err)
	}
	defer os.RemoveAll(dir)
	if _, err := os.Stat(path); err != nil {
		return m, describe(err)
	}
	out := filepath.Join(dir, "m.ll")
	if err := clang.IR(ctx, path, out, nil); err != nil {
		return m, fault.WithHint(fmt.Errorf("%s is no bitcode that clang %s reads: %w", path, clang.Version, err),
			"build it with the clang that 'klabel doctor' names for the engine, or an older one")
	}
	if m.text, err = os.ReadFile(out); err != nil {
		return m, describe(err)
	}
	m.main = definedMain.Match(m.text)
	m.labels, err = labelsIn(m.text)
	if err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

var definedMain = regexp.MustCompile(`(?m)^define [^@\n]*@main\(`)

// site is the text that the header puts beside each label.
var site = regexp.MustCompile(`constant \[\d+ x i8\] c"(klabel\\0A[^"]*)\\00"`)

// labelsIn finds the labels of LLVM assembly. A label that was compiled more than
// once, inline or in several files, is one.
func labelsIn(text []byte) ([]label.Label, error) {
	var out []label.Label
	at := map[label.ID]string{}
	for _, m := range site.FindAllSubmatch(text, -1) {
		l, err := labelOf(unescape(m[1]))
		if err != nil {
			return nil, err
		}
		place := fmt.Sprint(l.Position, l.Predicate)
		switch first, known := at[l.ID]; {
		case !known:
			at[l.ID] = place
			out = append(out, l)
		case first != place:
			return nil, fault.WithHint(fmt.Errorf("label %s is at %s and elsewhere too", l.ID, l.Position),
				"label all files of a program in one call of klabel annotate, or with --first-id")
		}
	}
	label.Sort(out)
	return out, nil
}

// labelOf reads number, file, line, predicate and tags, a line each.
func labelOf(text string) (label.Label, error) {
	var l label.Label
	parts := strings.SplitN(text, "\n", 6)
	if len(parts) < 6 {
		return l, fmt.Errorf("a label in it is cut short: %q", text)
	}
	var err error
	if l.ID, err = label.ParseID(parts[1]); err != nil {
		return l, fmt.Errorf("a label in it has no number: %w", err)
	}
	l.Position.File = parts[2]
	if l.Position.Line, err = strconv.Atoi(parts[3]); err != nil {
		return l, fmt.Errorf("label %s in it has no line", l.ID)
	}
	l.Predicate = strings.Join(strings.Fields(parts[4]), " ")
	if m := tagText.FindStringSubmatch(parts[5]); m != nil {
		for _, t := range strings.Split(m[1], ",") {
			if t = strings.TrimSpace(t); t != "" {
				l.Tags = append(l.Tags, t)
			}
		}
	}
	return l, nil
}

var tagText = regexp.MustCompile(`"([^"]*)"`)

var escaped = regexp.MustCompile(`\\(\\|[0-9A-Fa-f]{2})`)

// unescape reads a string of LLVM assembly.
func unescape(s []byte) string {
	return string(escaped.ReplaceAllFunc(s, func(m []byte) []byte {
		if m[1] == '\\' {
			return m[1:]
		}
		n, _ := strconv.ParseUint(string(m[1:]), 16, 8) // two hexadecimal digits
		return []byte{byte(n)}
	}))
}

// noUnit stands for the C of a program that has none.
func noUnit(ctx context.Context, path string) (*csource.Unit, error) {
	return csource.Parse(ctx, path, []byte("extern int klabel_no_c;\n"), csource.Options{})
}

// ofModules adds the labels that are in bitcode to those of the C.
func (p *program) ofModules() error {
	p.inBitcode = map[label.ID]bool{}
	for _, m := range p.modules {
		for _, l := range m.labels {
			if at := slices.IndexFunc(p.labels, func(o label.Label) bool { return o.ID == l.ID }); at >= 0 {
				return fault.WithHint(fmt.Errorf("%s: label %s of %s is at %s too", m.path, l.ID, l.Position,
					p.labels[at].Position), "number them on with klabel annotate --first-id")
			}
			p.labels = append(p.labels, l)
			p.inBitcode[l.ID] = true
			p.maxID = max(p.maxID, l.ID)
		}
		if bytes.Contains(m.text, []byte("@__VERIFIER_")) {
			p.verifier = true
		}
	}
	label.Sort(p.labels)
	return nil
}

func (p *program) moduleHasMain() bool {
	return slices.ContainsFunc(p.modules, func(m module) bool { return m.main })
}

// bridged are the labels of bitcode, in order.
func (p *program) bridged() (ids []label.ID) {
	for _, l := range p.labels {
		if p.inBitcode[l.ID] {
			ids = append(ids, l.ID)
		}
	}
	return ids
}
