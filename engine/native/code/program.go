package code

import (
	"fmt"
	"slices"

	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
)

// labelKey is a block of a function.
type labelKey struct {
	f     *ir.Function
	block string
}

// Program is a linked program with an address for everything in it.
type Program struct {
	Link      *ir.Program
	Builder   *expr.Builder
	Layout    *memory.Layout
	Space     *memory.Space // the memory at the start
	Funcs     []*Func
	Undefined []string // external globals without a definition that initialisers refer to

	byIR    map[*ir.Function]*Func
	globals map[*ir.Global]uint64
	lineOff map[*ir.Module]int
	library map[*ir.Module]bool
	known   func(name string) bool
	whole   map[*Func]bool // what Whole has found
	labels  map[labelKey]uint64
	missing *[]string // where undefined globals are noted: of the program, of a function
	wide    []*Func   // those with constants of more than 64 bits, which belong to a builder
	named   []uint32  // labels, once somebody has asked
	pointed []*Func   // functions whose addresses were taken by what has been read so far
}

// Load lays out a linked program. library tells the modules that are not the
// user's, known the functions that have a meaning without a definition.
func Load(link *ir.Program, b *expr.Builder, library map[*ir.Module]bool, known func(string) bool) (*Program, error) {
	layout := memory.For(link.Target.PtrBits)
	p := &Program{Link: link, Builder: b, Space: memory.NewSpace(layout), Layout: layout, known: known,
		byIR: map[*ir.Function]*Func{}, globals: map[*ir.Global]uint64{}, lineOff: map[*ir.Module]int{},
		library: library}
	p.missing = &p.Undefined
	line := 0
	objs := map[*ir.Global]*memory.Object{}
	for _, m := range link.Modules {
		p.lineOff[m] = line
		line += m.Lines
		for _, f := range m.Funcs {
			if link.Lookup(m, f.Name).Func == f {
				p.FuncOf(f) // addresses do not depend on what is explored first
			}
		}
		for _, g := range m.Globals {
			if s := link.Lookup(m, g.Name); s.Global != g {
				continue
			}
			size := g.Type.Size()
			o := p.Space.Alloc(size, memory.Global, g.Name)
			if o == nil {
				return nil, fmt.Errorf("%s:%d: global %s of %d bytes is too large", m.Path, g.Line, g.Name, size)
			}
			p.globals[g], objs[g] = o.Base, o
		}
	}
	for _, m := range link.Modules {
		for _, g := range m.Globals {
			o := objs[g]
			if o == nil || g.Init == nil {
				continue
			}
			if err := p.initialise(m, o, 0, g.Init); err != nil {
				return nil, fmt.Errorf("%s:%d: initialiser of %s: %w", m.Path, g.Line, g.Name, err)
			}
			o.ReadOnly = g.Constant
		}
	}
	return p, nil
}

// Renew makes the program as Load left it, for a further exploration with a
// builder of its own. Code that was made is kept.
func (p *Program) Renew(b *expr.Builder) {
	p.Builder = b
	for _, f := range p.Funcs {
		clear(f.Covered)
	}
	for _, f := range p.wide {
		for i, v := range f.Consts {
			if v.E != nil {
				f.Consts[i].E = b.ConstValue(v.E.Width(), v.E.Value())
			}
		}
	}
}

// Labels lists the labels that the program's own functions ask for, in no order. They are
// read in the text: an image has thousands of functions of which an exploration needs few.
func (p *Program) Labels() []uint32 {
	if p.named == nil {
		p.named = []uint32{}
		for _, f := range p.Funcs {
			if f.IR.Defined && !f.Library {
				p.named = f.IR.AppendCalls(p.named, "klabel_wants")
			}
		}
	}
	return p.named
}

// Pointed lists the functions that calls through pointers may come to, as far as the
// initialisers and the functions that are decoded say: decoding more may add to it.
func (p *Program) Pointed() []*Func { return p.pointed }

// AssemblyLine is the line of an instruction in the concatenation of all files.
func (p *Program) AssemblyLine(f *Func, line int) int { return p.lineOff[f.IR.Module] + line }

// FuncOf returns the function, with its address.
func (p *Program) FuncOf(f *ir.Function) *Func {
	if c := p.byIR[f]; c != nil {
		return c
	}
	c := &Func{Name: f.Name, IR: f, Index: len(p.Funcs), Addr: p.Layout.CodeBase + 16*uint64(len(p.Funcs)),
		Library: p.library[f.Module]}
	p.Funcs = append(p.Funcs, c)
	p.byIR[f] = c
	return c
}

// pointedAt is FuncOf for a function whose address is a value.
func (p *Program) pointedAt(f *ir.Function) *Func {
	c := p.FuncOf(f)
	if !c.pointed {
		c.pointed = true
		p.pointed = append(p.pointed, c)
	}
	return c
}

// FuncAt returns the function at an address, nil if there is none.
func (p *Program) FuncAt(addr uint64) *Func {
	i := (addr - p.Layout.CodeBase) / 16
	if addr < p.Layout.CodeBase || (addr-p.Layout.CodeBase)%16 != 0 || i >= uint64(len(p.Funcs)) {
		return nil
	}
	return p.Funcs[i]
}

// Lookup finds a defined function by its external name.
func (p *Program) Lookup(name string) *Func {
	if f := p.Link.Function(name); f != nil {
		return p.FuncOf(f)
	}
	return nil
}

// symbol returns the address of a name.
func (p *Program) symbol(m *ir.Module, name string) (uint64, error) {
	s := p.Link.Lookup(m, name)
	switch {
	case s.Func != nil:
		if f := s.Func; f.ExternWeak && !f.Defined && !p.known(f.Name) {
			return 0, nil // an undefined weak symbol
		}
		return p.pointedAt(s.Func).Addr, nil
	case s.Global != nil:
		if s.Global.ExternWeak && s.Global.Init == nil {
			return 0, nil
		}
		a, ok := p.globals[s.Global]
		if !ok {
			return 0, fmt.Errorf("global %s has no address", name)
		}
		if s.Global.Init == nil || surroundings[name] && p.library[s.Global.Module] && !p.library[m] {
			p.undefined(name)
		}
		return a, nil
	}
	if a := m.Aliases[name]; a != nil {
		vals, err := p.Const(m, a.Aliasee)
		if err != nil || len(vals) != 1 {
			return 0, fmt.Errorf("alias %s is not an address", name)
		}
		return vals[0].C, nil
	}
	return 0, fmt.Errorf("unknown symbol %s", name)
}

// surroundings are variables of the library that natively hold what nobody knows.
var surroundings = map[string]bool{"environ": true, "__environ": true, "_environ": true}

// label returns the address of a block.
func (p *Program) label(f *ir.Function, block string) uint64 {
	k := labelKey{f, block}
	a, ok := p.labels[k]
	if !ok {
		if p.labels == nil {
			p.labels = map[labelKey]uint64{}
		}
		a = p.Layout.LabelBase + 16*uint64(len(p.labels))
		p.labels[k] = a
	}
	return a
}

func (p *Program) undefined(name string) {
	if i, found := slices.BinarySearch(*p.missing, name); !found {
		*p.missing = slices.Insert(*p.missing, i, name)
	}
}

// initialise writes a constant into an object.
func (p *Program) initialise(m *ir.Module, o *memory.Object, off uint64, v *ir.Value) error {
	switch v.Kind {
	case ir.Zero, ir.Undef, ir.Null:
		return nil
	case ir.StringConst:
		o.SetBytes(off, []byte(v.Str))
		return nil
	case ir.AggregateConst:
		for i, e := range v.Elems {
			at := off
			if v.Type.Kind == ir.Struct {
				at += v.Type.Offset(i)
			} else if v.Type.IsWide() {
				at += uint64(8 * i)
			} else {
				at += uint64(i) * v.Type.Elem.Size()
			}
			if err := p.initialise(m, o, at, e); err != nil {
				return err
			}
		}
		return nil
	}
	vals, err := p.Const(m, v)
	if err != nil {
		return err
	}
	if len(vals) != 1 {
		return fmt.Errorf("constant of type %s is not supported", v.Type)
	}
	n := int(v.Type.StoreSize())
	if vals[0].E != nil {
		x := vals[0].E.Value()
		o.SetUint(off, 8, x.Lo)
		o.SetUint(off+8, n-8, x.Hi)
		return nil
	}
	o.SetUint(off, min(n, 8), vals[0].C)
	return nil
}
