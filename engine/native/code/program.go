package code

import (
	"fmt"
	"sort"

	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
)

// CodeBase is where the addresses of functions begin.
const CodeBase = 1 << 39

// Program is a linked program with an address for everything in it.
type Program struct {
	Link      *ir.Program
	Builder   *expr.Builder
	Space     *memory.Space // the memory at the start
	Funcs     []*Func
	Undefined []string // external globals without a definition that code refers to

	byIR    map[*ir.Function]*Func
	globals map[*ir.Global]uint64
	lineOff map[*ir.Module]int
	library map[*ir.Module]bool
}

// Load lays out a linked program. library tells the modules that are not the
// user's.
func Load(link *ir.Program, b *expr.Builder, library map[*ir.Module]bool) (*Program, error) {
	p := &Program{Link: link, Builder: b, Space: memory.NewSpace(), byIR: map[*ir.Function]*Func{},
		globals: map[*ir.Global]uint64{}, lineOff: map[*ir.Module]int{}, library: library}
	line := 0
	objs := map[*ir.Global]*memory.Object{}
	for _, m := range link.Modules {
		p.lineOff[m] = line
		line += m.Lines
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

// AssemblyLine is the line of an instruction in the concatenation of all files.
func (p *Program) AssemblyLine(f *Func, line int) int { return p.lineOff[f.IR.Module] + line }

// FuncOf returns the function, with its address.
func (p *Program) FuncOf(f *ir.Function) *Func {
	if c := p.byIR[f]; c != nil {
		return c
	}
	c := &Func{Name: f.Name, IR: f, Index: len(p.Funcs), Addr: CodeBase + 16*uint64(len(p.Funcs)), Library: p.library[f.Module]}
	p.Funcs = append(p.Funcs, c)
	p.byIR[f] = c
	return c
}

// FuncAt returns the function at an address, nil if there is none.
func (p *Program) FuncAt(addr uint64) *Func {
	i := (addr - CodeBase) / 16
	if addr < CodeBase || addr%16 != 0 || i >= uint64(len(p.Funcs)) {
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
		return p.FuncOf(s.Func).Addr, nil
	case s.Global != nil:
		a, ok := p.globals[s.Global]
		if !ok {
			return 0, fmt.Errorf("global %s has no address", name)
		}
		if s.Global.Init == nil {
			p.undefined(name)
		}
		return a, nil
	}
	if v := m.Aliases[name]; v != nil {
		vals, err := p.Const(m, v)
		if err != nil || len(vals) != 1 {
			return 0, fmt.Errorf("alias %s is not an address", name)
		}
		return vals[0].C, nil
	}
	return 0, fmt.Errorf("unknown symbol %s", name)
}

func (p *Program) undefined(name string) {
	i := sort.SearchStrings(p.Undefined, name)
	if i == len(p.Undefined) || p.Undefined[i] != name {
		p.Undefined = append(p.Undefined, name)
		sort.Strings(p.Undefined)
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
