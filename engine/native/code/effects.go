package code

import (
	"strings"

	"klabel/engine/native/ir"
)

// Effects reports whether a function may do more than compute what it returns: change
// what outlives it, end the program, or call what nobody knows. Labels are no effect.
func (p *Program) Effects(f *Func) bool { return p.effects(f, map[*Func]bool{}) }

// mostWhole is how long a function is at most, with all that it calls, that a caller may
// take as a whole: longer ones have too many paths to be worth an attempt.
const mostWhole = 500

// Whole reports whether a function is short and does nothing but compute what it returns,
// and natively the same: no address is a number in it, and no number is computed otherwise.
func (p *Program) Whole(f *Func) bool {
	if is, known := p.whole[f]; known {
		return is
	}
	reached := map[*Func]bool{}
	is, length := !p.effects(f, reached), 0
	for g := range reached {
		is = is && !g.Numbers && !g.X87
		length += len(g.Code)
	}
	is = is && length <= mostWhole
	if p.whole == nil {
		p.whole = map[*Func]bool{}
	}
	p.whole[f] = is
	return is
}

// labelCalls are what a label becomes.
var labelCalls = map[string]bool{"klabel_wants": true, "klabel_label": true, "covered": true, "pending": true,
	"nop": true}

func (p *Program) effects(f *Func, seen map[*Func]bool) bool {
	if seen[f] || labelCalls[f.Name] {
		return false
	}
	seen[f] = true
	if !f.IR.Defined || p.Decode(f) != nil {
		return true
	}
	blocks, err := f.IR.Blocks()
	if err != nil {
		return true
	}
	made := map[string]*ir.Instr{}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			made[in.Name] = in
		}
	}
	own := func(v *ir.Value) bool { // an address within a variable of the function
		for v.Kind == ir.LocalRef {
			in := made[v.Name]
			if in == nil {
				return false // a parameter
			}
			if in.Op == ir.Alloca {
				return true
			}
			if in.Op != ir.GEP && in.Op != ir.BitCast {
				return false
			}
			v = in.Ops[0]
		}
		return false
	}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			switch in.Op {
			case ir.Store:
				if !own(in.Ops[1]) {
					return true
				}
			case ir.CmpXchg, ir.AtomicRMW:
				return true
			case ir.Call:
				if callee := in.Ops[0]; callee.Kind == ir.GlobalRef && strings.HasPrefix(callee.Name, "llvm.mem") &&
					!own(in.Ops[1]) {
					return true
				}
			}
		}
	}
	for _, block := range f.Flow() {
		if block.Indirect {
			return true
		}
		for _, c := range block.Calls {
			if !strings.HasPrefix(c.Callee.Name, "llvm.") && p.effects(c.Callee, seen) {
				return true
			}
		}
	}
	return false
}
