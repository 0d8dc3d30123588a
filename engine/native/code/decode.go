package code

import (
	"fmt"
	"slices"

	"klabel/engine/native/ir"
)

// decoder makes the code of one function.
type decoder struct {
	p      *Program
	f      *Func
	m      *ir.Module
	regs   map[string]local
	blocks map[string]int32
	consts map[Value]int32
	irb    []*ir.Block
	fixups []fixup
	uses   map[string]bool
	wides  bool // it has met a constant of more than 64 bits
}

type local struct {
	reg int32
	typ *ir.Type
}

// fixup is an edge whose target's pc is not known yet.
type fixup struct {
	edge *Edge
	from string
	to   string
}

type decodeError struct{ err error }

func (d *decoder) fail(format string, args ...any) { panic(decodeError{fmt.Errorf(format, args...)}) }

// Decode makes the function's code, once. A function without a body, or with
// one that does not hold together, has an error.
func (p *Program) Decode(f *Func) error {
	if f.decoded {
		return f.Err
	}
	f.decoded = true
	if !f.IR.Defined {
		f.Err = fmt.Errorf("function %s has no definition", f.Name)
		return f.Err
	}
	blocks, err := f.IR.Blocks()
	if err != nil {
		f.Err = err
		return err
	}
	d := &decoder{p: p, f: f, m: f.IR.Module, regs: map[string]local{}, blocks: map[string]int32{},
		consts: map[Value]int32{}, irb: blocks, uses: map[string]bool{}}
	saved := p.missing
	p.missing = &f.Undefined
	f.Err = d.run()
	f.Numbers = !f.Library && addressesAsNumbers(blocks)
	f.X87 = !f.Library && f.IR.Module.X87 && fractions(blocks)
	p.missing = saved
	if d.wides {
		p.wide = append(p.wide, f)
	}
	return f.Err
}

func (d *decoder) run() (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case decodeError:
			err = fmt.Errorf("function %s: %w", d.f.Name, e.err)
		default:
			panic(e)
		}
	}()
	d.registers()
	for i, b := range d.irb {
		d.f.Starts = append(d.f.Starts, int32(len(d.f.Code)))
		for _, in := range b.Instrs {
			if in.Op == ir.Phi {
				r := d.regs[in.Name].reg
				d.f.phis = append(d.f.phis, Phi{Block: int32(i), Reg: r, Type: in.Type, name: in.Name})
			}
			at := len(d.f.Code)
			if in.Op != ir.Phi && !d.f.Library && slices.ContainsFunc(in.Ops, placed) {
				d.emit(Inst{Op: Placed, Dst: -1})
			}
			d.instr(b, in)
			for k := at; k < len(d.f.Code); k++ {
				d.f.Src = append(d.f.Src, in)
				d.f.BlockAt = append(d.f.BlockAt, int32(i))
			}
		}
	}
	for _, fx := range d.fixups {
		d.edge(fx)
	}
	d.f.rounds()
	d.f.Covered = make([]bool, len(d.irb))
	return nil
}

// registers gives every local value its registers: parameters first, then what
// lives across blocks, then what lives within one block, where registers are
// used again. Most values of unoptimised code are of the last kind, and frames
// are copied at every fork, so that this is worth its while.
func (d *decoder) registers() {
	next := int32(0)
	def := func(name string, t *ir.Type) {
		d.define(name, local{next, t})
		next += int32(t.Leaves())
	}
	for _, a := range d.f.IR.Params {
		def(a.Name, a.Type)
		types, _ := a.Type.AppendLeaves(nil, nil, 0)
		d.f.Params = append(d.f.Params, types...)
	}
	d.f.NumParam = int(next)
	for i, b := range d.irb {
		if _, dup := d.blocks[b.Name]; dup {
			d.fail("block %%%s is defined twice", b.Name)
		}
		d.blocks[b.Name] = int32(i)
	}
	last := d.lastUses()
	for _, b := range d.irb {
		for _, in := range b.Instrs {
			if in.Name == "" || in.Type == nil {
				continue
			}
			if u, ok := last[in.Name]; !ok || u < 0 || in.Type.Leaves() != 1 {
				def(in.Name, in.Type)
			}
		}
	}
	top := next
	d.f.across = next
	for _, b := range d.irb {
		top = max(top, d.blockRegisters(b, last, next))
	}
	d.f.NumRegs = int(top)
}

func (d *decoder) define(name string, l local) {
	if l.typ.Leaves() > 1<<14 {
		d.fail("value of type %s is too large for a register", l.typ)
	}
	if _, dup := d.regs[name]; dup {
		d.fail("%%%s is defined twice", name)
	}
	d.regs[name] = l
}

// lastUses finds the values that are used in the block that defines them and
// nowhere else, with the index of the last instruction that does so. Others
// have -1. A phi uses its operands at the end of the blocks they come from.
func (d *decoder) lastUses() map[string]int {
	home := map[string]int{}
	last := map[string]int{}
	for i, b := range d.irb {
		for k, in := range b.Instrs {
			if in.Name != "" {
				home[in.Name], last[in.Name] = i, k
			}
		}
	}
	use := func(name string, block, at int) {
		d.uses[name] = true
		if h, ok := home[name]; ok && last[name] >= 0 {
			if h != block {
				last[name] = -1
			} else {
				last[name] = max(last[name], at)
			}
		}
	}
	for i, b := range d.irb {
		for k, in := range b.Instrs {
			for j, o := range in.Ops {
				if o.Kind != ir.LocalRef {
					continue
				}
				if in.Op != ir.Phi {
					use(o.Name, i, k)
				} else if from, ok := d.blocks[in.Blocks[j]]; ok {
					use(o.Name, int(from), len(d.irb[from].Instrs))
				}
			}
		}
	}
	return last
}

// blockRegisters hands out the registers from first on to the values of one
// block. A result never takes the register of an operand of its instruction:
// some instructions are executed again after a fork. All phis get theirs before
// one is free again: the edges into the block fill them together.
func (d *decoder) blockRegisters(b *ir.Block, last map[string]int, first int32) (top int32) {
	top = first
	var free []int32
	ends := map[int][]int32{}
	for k, in := range b.Instrs {
		if in.Name != "" && in.Type != nil && last[in.Name] >= 0 && in.Type.Leaves() == 1 {
			r := top
			if n := len(free); n > 0 {
				r, free = free[n-1], free[:n-1]
			} else {
				top++
			}
			d.define(in.Name, local{r, in.Type})
			ends[last[in.Name]] = append(ends[last[in.Name]], r)
		}
		if in.Op != ir.Phi {
			free = append(free, ends[k]...)
		}
	}
	return top
}

// edge fills in an edge: the target's pc and the moves that its phis ask for.
func (d *decoder) edge(fx fixup) {
	b, ok := d.blocks[fx.to]
	if !ok {
		d.fail("unknown block %%%s", fx.to)
	}
	fx.edge.Block, fx.edge.Target = b, d.f.Starts[b]
	for _, in := range d.irb[b].Instrs {
		if in.Op != ir.Phi {
			break
		}
		found := false
		for i, from := range in.Blocks {
			if from != fx.from || found {
				continue
			}
			found = true
			src, dst := d.operands(in.Ops[i]), d.regs[in.Name].reg
			for k, s := range src {
				if s != dst+int32(k) {
					fx.edge.Moves = append(fx.edge.Moves, MovePair{dst + int32(k), s})
				}
			}
		}
		if !found {
			d.fail("phi %%%s has no value for %%%s", in.Name, fx.from)
		}
	}
}

func (d *decoder) constant(v Value) int32 {
	if i, ok := d.consts[v]; ok {
		return ^i
	}
	d.wides = d.wides || v.E != nil
	i := int32(len(d.f.Consts))
	d.f.Consts = append(d.f.Consts, v)
	d.consts[v] = i
	return ^i
}

// operands returns the operands that hold a value's scalars.
func (d *decoder) operands(v *ir.Value) []int32 {
	if v.Kind == ir.LocalRef {
		l, ok := d.regs[v.Name]
		if !ok {
			d.fail("unknown value %%%s", v.Name)
		}
		out := make([]int32, v.Type.Leaves())
		if len(out) != l.typ.Leaves() {
			d.fail("%%%s is used with another type", v.Name)
		}
		for i := range out {
			out[i] = l.reg + int32(i)
		}
		return out
	}
	vals, err := d.p.Const(d.m, v)
	if err != nil {
		d.fail("%v", err)
	}
	out := make([]int32, len(vals))
	for i, x := range vals {
		out[i] = d.constant(x)
	}
	return out
}

// scalar returns the operand of a value that is one scalar of 1 to 128 bits.
func (d *decoder) scalar(v *ir.Value) int32 {
	w := v.Type.Width()
	if w == 0 || w > 128 {
		d.fail("value of type %s", v.Type)
	}
	return d.operands(v)[0]
}

func (d *decoder) emit(in Inst) { d.f.Code = append(d.f.Code, in) }

func (d *decoder) newEdge(from *ir.Block, to string) *Edge {
	e := new(Edge)
	d.fixups = append(d.fixups, fixup{e, from.Name, to})
	return e
}
