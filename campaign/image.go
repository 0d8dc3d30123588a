package campaign

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"klabel/csource"
	"klabel/drivers"
	"klabel/engine"
	"klabel/input"
	"klabel/linkage"
	"klabel/replayer"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// image is what engines explore and replays run: the labelled units with all
// their entries, compiled once for each.
type image struct {
	units   []*csource.Unit
	prefix  []string // of each unit's C: names that clash with another unit's
	entries []entry
	leftOut map[string]string // targets without an entry, by name, and why

	home     int // the unit of the first target
	warnings []string
	lacks    [][]string      // by unit: what it mentions and nobody defines
	stubs    [][]*input.Call // by unit: of those that are functions
	missing  []string        // functions of a program with its own main for which stubs stand
}

// prefixed is the image with more C before that which stands before each unit.
func (im *image) prefixed(more []string) *image {
	out := *im
	out.prefix = slices.Clone(im.prefix)
	for i := range out.prefix {
		out.prefix[i] = more[i] + out.prefix[i]
	}
	return &out
}

// ErrNoInput says that the relations of a driver contradict each other.
var ErrNoInput = errors.New("no input satisfies all relations and assumptions")

// unentered is the program without any entry.
func unentered(p *program) *image {
	return &image{units: p.units, prefix: make([]string, len(p.units)), leftOut: map[string]string{}}
}

// plainImage is a program that is explored from its main alone.
func plainImage(p *program) *image {
	im := unentered(p)
	own := linkage.Defined(p.units).OwnLibrary()
	for i := range im.prefix {
		im.prefix[i] = own
	}
	if at := slices.IndexFunc(p.units, linkage.DefinesMain); at >= 0 {
		im.entries = []entry{{unit: at, function: "main"}}
	} else if p.moduleHasMain() {
		im.entries = []entry{{function: "main"}}
	}
	im.home = max(slices.IndexFunc(p.units, linkage.DefinesMain), 0)
	if names := drivers.Volatile(p.units); len(names) > 0 && len(im.entries) > 0 {
		im.entries[0].narrowed = []string{"volatile variables that stay: " + strings.Join(names, ", ")}
	}
	return im
}

// makeImage writes the entries of targets, in the variants that are wanted, into
// the units.
func makeImage(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job, p *program, targets []target,
	wanted func(target, drivers.Variant) bool) (*image, error) {
	if len(targets) == 0 {
		im := plainImage(p)
		if err := im.endForeign(ctx, clang, rt, j); err != nil {
			return nil, err
		}
		return im, standIns(ctx, clang, rt, j, p, im)
	}
	im := &image{units: slices.Clone(p.units), prefix: make([]string, len(p.units)),
		lacks: make([][]string, len(p.units)), stubs: make([][]*input.Call, len(p.units)), leftOut: map[string]string{}}
	wants := make([][]drivers.Want, len(p.units))
	of := map[int]target{}
	rank := map[int]int{}
	for _, t := range targets {
		var own *drivers.Options
		if j.Adapt != nil {
			w, err := j.Adapt(t.name)
			if err != nil {
				return nil, err
			}
			own = &w.Driver
			own.Floats, own.WholeArrays = j.Driver.Floats, j.Driver.WholeArrays
		}
		for r, v := range drivers.Variants {
			if !wanted(t, v) {
				continue
			}
			n := len(of) + 1
			of[n], rank[n] = t, r
			wants[t.unit] = append(wants[t.unit], drivers.Want{Function: t.function, Variant: v, Number: n,
				Options: own})
		}
	}
	entries := make([][]entry, len(p.units))
	leftOut := make([][]drivers.LeftOut, len(p.units))
	warnings := make([][]string, len(p.units))
	fails := make([]bool, len(p.units))
	defined := p.defined()
	driver := j.Driver
	driver.Refusing = j.Mode.Own() && !j.Recheck // a test that is interpreted tells nothing of the kind
	if len(p.units) > 1 {
		driver.Across, driver.Embeddings = p.acrossFiles()
	}
	var g errgroup.Group
	g.SetLimit(runtime.NumCPU())
	for i, u := range p.units {
		g.Go(func() error {
			opts := csource.Options{Clang: clang, Flags: u.Flags, LabelMacros: j.LabelMacros,
				IncludeDirs: []string{rt.Include}}
			u, err := withoutMain(ctx, u, i, wants[i], opts)
			if err != nil {
				return err
			}
			o := driver
			o.Function, o.Defined = "", defined.Elsewhere(i)
			d, err := drivers.ForUnit(u, o, wants[i])
			if err != nil {
				return err
			}
			if im.units[i], err = compiling(ctx, clang, u, d, opts); err != nil {
				return err
			}
			im.lacks[i], im.stubs[i] = d.Lacks, d.Stubs
			for _, e := range d.Entries {
				t := of[e.Number]
				if e.Inputs.Main == "" && linkage.DefinesMain(p.units[i]) {
					e.Inputs.Main = linkage.MainOf(i)
				}
				if err := possible(ctx, clang, u, d, e, options(j.Driver, wants[i], e.Number), opts); errors.Is(err,
					ErrNoInput) && j.AllFunctions {
					leftOut[i] = append(leftOut[i], drivers.LeftOut{Function: e.Function, Number: e.Number,
						Reason: ErrNoInput.Error(), Err: err})
					continue
				} else if err != nil {
					return err
				}
				entries[i] = append(entries[i], entry{number: e.Number, name: t.name + e.Variant.String(),
					target: t.name, function: e.Function,
					file: t.row.File, unit: i, rank: rank[e.Number], symbol: e.Symbol, inputs: e.Inputs,
					narrowed: e.Narrowed, memory: e.Memory, remembers: e.Remembers, assumed: e.Assumed})
			}
			leftOut[i], fails[i] = append(leftOut[i], d.LeftOut...), d.Fails()
			warnings[i] = d.Warnings
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	im.prefix = defined.Prefixes()
	own := defined.OwnLibrary(slices.Concat(im.lacks...)...)
	for i := range p.units {
		im.prefix[i] += drivers.Undeclared(p.units[i])
		if slices.Contains(fails, true) {
			im.prefix[i] += drivers.FailingPrefix(p.units[i])
		}
		im.prefix[i] += own
		im.entries = append(im.entries, entries[i]...)
		im.warnings = append(im.warnings, warnings[i]...)
		for _, l := range leftOut[i] {
			t := of[l.Number]
			if j.Function != "" && l.Err != nil && rank[l.Number] == 0 && len(im.entries)+len(entries[i]) == 0 {
				return nil, l.Err
			}
			if rank[l.Number] == 0 && !im.plainer(t.name) {
				im.leftOut[t.name] = l.Reason
			}
		}
	}
	im.home = targets[0].unit
	if err := im.endForeign(ctx, clang, rt, j); err != nil {
		return nil, err
	}
	return im, ctx.Err()
}

// plainer makes another entry of a target the plainest, where it has one.
func (im *image) plainer(target string) bool {
	i := slices.IndexFunc(im.entries, func(e entry) bool { return e.target == target })
	if i >= 0 {
		im.entries[i].rank = 0
	}
	return i >= 0
}

// firstVariants says which entries the first image has: the plain ones and those
// with state, those of which somebody has to make or begin what they take, and those that
// stored tests are of. The modes of the papers explore one program each, to compare
// them, and have no other image.
func firstVariants(m engine.Mode, stored map[string]bool, units []*csource.Unit) func(target, drivers.Variant) bool {
	return func(t target, v drivers.Variant) bool {
		switch {
		case v == drivers.Arguments, stored[t.name+v.String()]:
			return true
		case m != "" && !m.Own():
			return false
		case v == drivers.Calls:
			u := units[t.unit]
			fn := u.Function(t.function)
			return fn != nil && (drivers.TakesHandle(u, fn) || drivers.TakesBegun(u, fn))
		}
		return v == drivers.State
	}
}

// acrossFiles is what drivers are told of other files of the program, found out once for all images.
func (p *program) acrossFiles() (drivers.Across, map[string][]drivers.Embedding) {
	p.acrossOnce.Do(func() { p.across, p.embeddings = drivers.AcrossFiles(p.units), drivers.Embeddings(p.units) })
	return p.across, p.embeddings
}

// options are those that an entry was written with.
func options(common drivers.Options, wants []drivers.Want, number int) drivers.Options {
	for _, w := range wants {
		if w.Number == number && w.Options != nil {
			return *w.Options
		}
	}
	return common
}

// withoutMain gives a unit's main another name, unless an entry calls it: the
// drivers rename that one.
func withoutMain(ctx context.Context, u *csource.Unit, i int, wants []drivers.Want, opts csource.Options) (
	*csource.Unit, error) {
	asked := slices.ContainsFunc(wants, func(w drivers.Want) bool { return w.Function == "main" })
	if asked || !linkage.DefinesMain(u) {
		return u, nil
	}
	e := u.Edits()
	for _, s := range u.IdentifierSpans("main") {
		e.Replace(s, linkage.MainOf(i))
	}
	out, err := csource.Parse(ctx, u.Path, e.Apply(), opts)
	if err != nil {
		return nil, fmt.Errorf("without its main, %w", err)
	}
	return out, nil
}

// lackedBeside lists what nobody defines and other units mention, and not this one.
func (im *image) lackedBeside(unit int) (out []string) {
	for i, names := range im.lacks {
		for _, n := range names {
			if i != unit && !slices.Contains(im.lacks[unit], n) {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// replayEntries are the entries in the words of the replayer.
func (im *image) replayEntries() (out []replayer.Entry) {
	for _, e := range im.entries {
		if !e.ownMain() {
			out = append(out, replayer.Entry{Number: e.number, Symbol: e.symbol, Name: e.name})
		}
	}
	return out
}
