package code

import (
	"regexp"
	"strings"

	"klabel/engine/native/ir"
)

// Inline assembly whose meaning is known: nothing at all, a barrier, a change of
// the byte order, a look at the clock. The rest ends the paths that reach it.

// rotation turns two bytes round; with one by two bytes between, two of them
// turn round four.
const rotation = `ro[lr]w \$\$8, (\$0|\$\{0:w\})`

var (
	barrier   = regexp.MustCompile(`^(|nop|pause|rep; ?nop|mfence|lfence|sfence)$`)
	byteOrder = regexp.MustCompile(`^(bswap[lq]? (\$0|\$\{0:[kq]\})|` + rotation + `(; ?ro[lr]l \$\$16, \$0; ?` + rotation + `)?)$`)
	clock     = regexp.MustCompile(`^rdtscp?$`)
)

func (d *decoder) asm(c Inst, in *ir.Instr) {
	text := strings.TrimSpace(strings.ReplaceAll(in.Ops[0].Str, "\t", " "))
	outputs := in.Type.Leaves()
	switch {
	case clock.MatchString(text):
		for i := range outputs {
			d.emit(Inst{Op: Move, Dst: c.Dst + int32(i), A: d.constant(Value{}), Imm: 1})
		}
		look := &ir.Function{Module: d.m, Name: "llvm.readcyclecounter", Ret: ir.IntType(64), Dbg: -1}
		d.emit(Inst{Op: ir.Call, Dst: -1, X: &CallSite{Callee: d.p.intrinsic(look), Simple: true}})
	case barrier.MatchString(text):
		for i, r := range d.tied(in, outputs) {
			d.emit(Inst{Op: Move, Dst: c.Dst + int32(i), A: r, Imm: 1})
		}
	case byteOrder.MatchString(text) && outputs == 1 && in.Type.Kind == ir.Int &&
		(len(text) > len("rorw $$8, ${0:w}") || text[0] == 'b') == (in.Type.Bits > 16):
		w := uint8(in.Type.Bits)
		swap := &ir.Function{Module: d.m, Name: "llvm.bswap." + in.Type.String(), Ret: in.Type,
			Params: []ir.Param{{Type: in.Type}}, Dbg: -1}
		s := &CallSite{Callee: d.p.intrinsic(swap), Simple: true, Used: true, Regs: d.tied(in, 1), Widths: []uint8{w},
			RetTypes: []*ir.Type{in.Type}}
		s.Args = []Arg{{Regs: s.Regs, Type: in.Type, Leaf: d.leaves(in.Type)}}
		c.X = s
		d.emit(c)
	default:
		d.fail("inline assembly %q", text)
	}
}

// tied returns, for each output, the input that shares its place: what an
// assembly that does nothing leaves there.
func (d *decoder) tied(in *ir.Instr, outputs int) []int32 {
	out := make([]int32, outputs)
	found := 0
	operand := 1
	for _, c := range strings.Split(in.Ops[0].Name, ",") {
		switch {
		case strings.HasPrefix(c, "~") || c == "":
			continue
		case strings.HasPrefix(c, "=*"):
			operand++
		case strings.HasPrefix(c, "="):
		default:
			if len(c) == 1 && c[0] >= '0' && int(c[0]-'0') < outputs && operand < len(in.Ops) {
				out[c[0]-'0'] = d.scalar(in.Ops[operand])
				found++
			}
			operand++
		}
	}
	if found != outputs {
		d.fail("inline assembly %q with an output that it does not set", in.Ops[0].Str)
	}
	return out
}
