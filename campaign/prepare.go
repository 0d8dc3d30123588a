package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/csource"
	"klabel/drivers"
	"klabel/fault"
	"klabel/instrument"
	"klabel/label"
	"klabel/linkage"
	"klabel/objective"
	"klabel/report"
	"klabel/runtime_c"
	"klabel/sample"
	"klabel/toolchain"
)

// program is the labelled program: its units and what is known of them all.
type program struct {
	sources   []Source          // of units, in the same order
	units     []*csource.Unit   // with labels, without entries
	plain     []*csource.Unit   // as they were read
	sums      map[string]string // of what the sources come to, by path
	linkFlags toolchain.Flags   // of all units, each once
	labels    []label.Label
	constant  map[label.ID]string      // labels that the compiler folds to false, and why
	placed    map[label.ID]label.Label // as the annotator wrote them, with the user's own columns
	shared    map[label.ID]bool        // labels of headers that several units include
	decisions []objective.Decision     // of criteria of pairs
	compiled  *report.Compiled         // what it was read from, if there are decisions
	maxID     label.ID
	spoken    sync.Once
	speaks    *sample.Constants // of the sources; read when they are wanted
	next      label.ID          // first number that the annotator left free
	hash      string
	verifier  bool // uses __VERIFIER_* functions
	warnings  []string
	broken    []error // units that do not compile, of a campaign that goes on without them
	home      int     // the unit that has the function under test, or main
	modules   []module
	inBitcode map[label.ID]bool // labels of modules

	definedOnce sync.Once
	definitions linkage.Definitions // see defined

	acrossOnce sync.Once
	across     drivers.Across // see acrossFiles
	embeddings map[string][]drivers.Embedding

	unsaidOnce sync.Once
	undeclared [][]string // see undeclaredIn
	untyped    []bool     // see implicitInt

	byPlace map[linkage.Place][]label.ID // labels of functions
	where   map[label.ID]linkage.Place   // the function that holds a label, in the first unit that has it
	calls   *linkage.Calls
	asked   []target                  // functions that the job wants entries for
	joining *joining                  // nil: a program's own main is its one entry, or has none
	image   *image                    // the first
	took    time.Duration             // to write its entries
	mu      sync.Mutex                // guards entries and nearTo
	nearTo  map[linkage.Place]*nearby // labels that functions reach, as far as somebody asked
	entries []entry                   // of all images so far
	leftOut map[string]string         // targets without a plain entry, by name, and why
	resting map[string]bool           // targets whose entries were not made, because they rest; guarded by mu
}

// ErrNoLabels and ErrNoMain tell a caller what a program lacks, ErrOnlyMain that of a campaign
// of functions.
var (
	ErrNoLabels = errors.New("no labels")
	ErrNoMain   = errors.New("no main function")
	ErrOnlyMain = errors.New("no function but main is defined")
)

// load reads the sources, writes the labels of the job's criteria into them,
// gathers all labels and makes the entries. All that is wrong with the labels is
// said at once, before anything runs. With ErrNoMain and ErrNoLabels the program
// is complete but for that.
func load(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job, s start,
	sums map[string]string) (*program, error) {
	p := &program{constant: map[label.ID]string{}, sums: sums}
	if err := p.read(ctx, clang, rt, j); err != nil {
		return nil, err
	}
	p.plain = slices.Clone(p.units)
	if err := p.findUnlinked(ctx, clang, rt, j); err != nil {
		return nil, err
	}
	if err := p.findOracle(j.Driver.Oracle); err != nil {
		return nil, err
	}
	if err := p.orDefault(j); err != nil {
		return nil, err
	}
	if err := p.orAll(ctx, clang, j); err != nil {
		return nil, err
	}
	targets, err := p.targets(j)
	if err != nil {
		return nil, err
	}
	p.asked = targets
	p.joining = p.mayJoin(j)
	if len(j.Criteria)+len(j.Goal.Criteria) > 0 {
		if err := p.annotate(ctx, clang, j, targets); err != nil {
			return nil, err
		}
	}
	if j.Goal.ErrorFunction != "" {
		if err := p.labelError(ctx, j); err != nil {
			return nil, err
		}
	}
	if err := p.hyperlabels(ctx, j); err != nil {
		return nil, err
	}
	if len(p.decisions) > 0 {
		p.compiled = p.compiledFrom(clang, rt, !j.NoSanitizers)
	}
	if err := p.gather(); err != nil {
		return nil, err
	}
	p.calls = linkage.CallsOf(p.units)
	if p.byPlace, err = p.labelsByFunction(); err != nil {
		return nil, err
	}
	p.where = map[label.ID]linkage.Place{}
	for at, ids := range p.byPlace {
		for _, id := range ids {
			if first, known := p.where[id]; !known || at.Unit < first.Unit {
				p.where[id] = at
			}
		}
	}
	if len(p.labels) == 0 {
		p.adopt(plainImage(p))
		p.hash = p.sum(rt.Dir, j)
		if len(p.broken) > 0 {
			return p, errors.Join(append(slices.Clone(p.broken), fmt.Errorf("%w in the other files", ErrNoLabels))...)
		}
		return p, noLabels(j.Sources[0].Path, j.Criteria)
	}
	begin := time.Now()
	im, err := makeFirst(ctx, clang, rt, j, p, targets, s)
	if err != nil {
		return nil, err
	}
	p.took = time.Since(begin)
	p.adopt(im)
	p.hash = p.sum(rt.Dir, j)
	p.leftOut = p.image.leftOut
	if o := j.Driver.Oracle; o != "" && !slices.ContainsFunc(p.image.entries, func(e entry) bool {
		return e.inputs != nil && e.inputs.Oracle != ""
	}) {
		p.warnings = append(p.warnings, fmt.Sprintf("--oracle %s checks nothing: no function of its file that is "+
			"tested gives what it takes", o))
	}
	if len(p.image.entries) == 0 {
		return p, p.noEntry(j)
	}
	return p, nil
}

// noEntry says why nothing of a program can be run. To what asks for no run it is ErrNoMain.
func (p *program) noEntry(j *Job) error {
	names := slices.Sorted(maps.Keys(p.leftOut))
	if len(names) == 0 {
		return fault.WithHint(fmt.Errorf("%s: %w", j.Sources[0].Path, ErrNoMain),
			"--function NAME writes a driver for a function, --all-functions --criteria CC for each")
	}
	err := "no driver for " + names[0] + ": " + p.leftOut[names[0]]
	if more := len(names) - 1; more > 0 {
		err += fmt.Sprintf(" (and %d more)", more)
	}
	return noEntryError(err)
}

type noEntryError string

func (e noEntryError) Error() string { return string(e) }

func (e noEntryError) Is(target error) bool { return target == ErrNoMain }

// findOracle refuses an oracle that no file defines.
func (p *program) findOracle(name string) error {
	if name == "" {
		return nil
	}
	var names []string
	for _, u := range p.units {
		for _, f := range u.Functions() {
			if f.Name == name {
				return nil
			}
			if !f.Origin.System {
				names = append(names, f.Name)
			}
		}
	}
	text := fmt.Sprintf("--oracle %s: no file defines this function", name)
	if near := fault.Nearest(name, names); len(near) > 0 {
		text += "; is one of these meant: " + strings.Join(near, ", ") + "?"
	}
	return fault.WithHint(fault.Usagef("%s", text),
		"want observed, none, or a function that returns 0 when the result it is given, or the state, is wrong")
}

// read loads the units, as many at a time as there are cores. In a campaign of
// all functions those that do not compile are left out.
func (p *program) read(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job) error {
	if p.sums == nil { // before they are read: what changes meanwhile is noticed the next time
		bitcode := slices.DeleteFunc(slices.Clone(j.Sources), func(s Source) bool { return !isBitcode(s.Path) })
		p.sums, _ = sourceSums(ctx, j, bitcode, clang, rt) // reading them will tell what is wrong
	}
	sources, err := p.takeModules(ctx, clang, j.Sources)
	if err != nil {
		return err
	}
	units, sums, errs := make([]*csource.Unit, len(sources)), make([]string, len(sources)), make([]error, len(sources))
	room := newSpace(len(sources))
	g, reading := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for i, s := range sources {
		g.Go(func() error {
			units[i], sums[i], errs[i] = csource.LoadSummed(reading, s.Path, sourceOptions(j, s, clang, rt))
			if errs[i] != nil {
				return nil // the others go on
			}
			return room.takes(len(units[i].Text))
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	var links []string
	for i, s := range sources {
		p.sums[s.Path] = sums[i]
		if errs[i] != nil {
			p.broken = append(p.broken, errs[i])
			continue
		}
		s.Flags = append(slices.Clone(s.Flags), units[i].Words...) // C tests read the file, too
		p.sources = append(p.sources, s)
		p.units = append(p.units, units[i])
		if link := units[i].Flags.Link(); !slices.Contains(links, fmt.Sprint(link)) {
			links = append(links, fmt.Sprint(link))
			p.linkFlags = append(p.linkFlags, link...)
		}
	}
	p.outline()
	if len(sources) == 0 {
		u, err := noUnit(ctx, j.Sources[0].Path)
		if err != nil {
			return err
		}
		p.sources, p.units = []Source{{Path: j.Sources[0].Path, Stubs: true}}, []*csource.Unit{u}
		p.linkFlags = toolchain.Flags(sourceOptions(j, j.Sources[0], clang, rt).Flags).Link()
	}
	if len(p.broken) > 0 && (!j.AllFunctions || len(p.units) == 0) {
		return errors.Join(p.broken...)
	}
	if err := p.checkTargets(ctx, clang); err != nil {
		return err
	}
	return ctx.Err()
}

// outline has units define the inline functions that none of them gives to others: each its own, since C tests
// of several files are built with the same flags.
func (p *program) outline() {
	var defined func(name string) bool // before anything is outlined
	for i, u := range p.units {
		if !slices.ContainsFunc(u.Functions(), func(f *csource.Function) bool {
			return f.Inline && !f.Static && !f.Origin.System
		}) {
			continue
		}
		if defined == nil {
			defined = linkage.Defined(p.units).Defines
		}
		if u.Outline(defined) {
			p.sources[i].Flags = append(p.sources[i].Flags, csource.Outlining) // C tests read the file, too
		}
	}
}

// rewrite writes every unit of an image for a mode and returns the files with
// their flags, the one with main first.
func (p *program) rewrite(im *image, l layout, stem string, o instrument.Options) (files []string,
	flags []toolchain.Flags, err error) {
	o.MaxID = p.maxID
	units := im.units
	order := make([]int, len(units))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		return linkage.DefinesMain(units[order[a]]) &&
			!linkage.DefinesMain(units[order[b]])
	})
	for _, i := range order {
		text, err := instrument.Rewrite(units[i], o)
		if err != nil {
			return nil, nil, err
		}
		name := stem + ".c"
		if len(units) > 1 {
			name = fmt.Sprintf("%s-%d.c", stem, i+1)
		}
		path := l.work(name)
		if err := os.WriteFile(path, append([]byte(im.prefix[i]), text...), 0o666); err != nil {
			return nil, nil, describe(err)
		}
		files = append(files, path)
		flags = append(flags, units[i].Flags.Language())
	}
	if len(p.modules) == 0 {
		return files, flags, nil
	}
	bridge := l.work(stem + "-bitcode.c")
	if err := os.WriteFile(bridge, instrument.Bridge(o.Mode, o.MaxID, p.bridged()), 0o666); err != nil {
		return nil, nil, describe(err)
	}
	files, flags = append(files, bridge), append(flags, nil)
	for _, m := range p.modules {
		files, flags = append(files, m.path), append(flags, nil)
	}
	return files, flags, nil
}
