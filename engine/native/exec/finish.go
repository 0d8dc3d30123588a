package exec

import (
	"fmt"
	"strings"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/solver"
)

// place is where a state stands, for messages.
type place struct {
	fn   *code.Func
	line int // of the IR
	file string
	src  int
}

type errorKey struct {
	fn  *code.Func
	pc  int32
	msg string
}

func (ex *Engine) placeOf(f *frame) place {
	i := int(f.pc) - 1
	if i < 0 || i >= len(f.fn.Src) {
		i = 0
	}
	if len(f.fn.Src) == 0 {
		return place{fn: f.fn}
	}
	in := f.fn.Src[i]
	p := place{fn: f.fn, line: ex.p.AssemblyLine(f.fn, in.Line)}
	if loc, ok := f.fn.IR.Module.Location(in.Dbg); ok {
		p.file, p.src = loc.File, loc.Line
	}
	return p
}

// outside skips frames of the library: an error in memcpy's caller is the
// caller's.
func outside(f *frame) *frame {
	for f.fn.Library && f.parent != nil {
		f = f.parent
	}
	return f
}

// report is the content of an error's file, in KLEE's wording.
func (ex *Engine) report(st *State, msg, info string) (text string, at place) {
	at = ex.placeOf(outside(st.top))
	var b strings.Builder
	fmt.Fprintf(&b, "Error: %s\n", msg)
	if at.file != "" {
		fmt.Fprintf(&b, "File: %s\nLine: %d\nassembly.ll line: %d\nState: %d\n", at.file, at.src, at.line, st.ID)
	}
	b.WriteString("Stack: \n")
	n := 0
	for f := st.top; f != nil && n < 100; f = f.parent {
		p := ex.placeOf(f)
		fmt.Fprintf(&b, "\t#%d%08d in %s(%s)", n, p.line, f.fn.Name, ex.arguments(f))
		if p.file != "" {
			fmt.Fprintf(&b, " at %s:%d", p.file, p.src)
		}
		b.WriteString("\n")
		n++
	}
	if info != "" {
		b.WriteString("Info: \n" + info)
	}
	return b.String(), at
}

func (ex *Engine) arguments(f *frame) string {
	var s []string
	at := 0
	for _, p := range f.fn.IR.Params {
		t := "symbolic"
		if at < f.fn.NumParam && at < len(f.regs) {
			if v, ok := concreteValue(f.regs[at]); ok {
				t = fmt.Sprint(v.Lo)
			}
		}
		at += p.Type.Leaves()
		if p.Name != "" && (p.Name[0] < '0' || p.Name[0] > '9') {
			t = p.Name + "=" + t
		}
		s = append(s, t)
	}
	return strings.Join(s, ", ")
}

// keyOf tells errors apart: by their place, outside of the library, and words.
func (ex *Engine) keyOf(st *State, msg string) errorKey {
	f := outside(st.top)
	return errorKey{f.fn, f.pc, msg}
}

// writeTest writes the test of a path.
func (ex *Engine) writeTest(st *State, suffix, text string) {
	r, m := ex.s.Model(ex.ctx, st.cons)
	if r != solver.Sat {
		ex.sink.Warning("unable to get symbolic solution, losing test case")
		ex.incomplete("a test was lost for want of a solution")
		return
	}
	ex.emit(&Test{Objects: objects(st, m), Suffix: suffix, Text: text})
}

func (ex *Engine) emit(t *Test) {
	if err := ex.sink.Test(t); err != nil {
		ex.sink.Warning("cannot write a test: " + err.Error())
		ex.incomplete("tests cannot be written")
		ex.stop("cannot write tests: %v", err)
		return
	}
	ex.stats.Tests++
}

// objects lists the inputs of a path with their values.
func objects(st *State, m *expr.Model) []Object {
	var list []*symbolic
	for s := st.syms; s != nil; s = s.prev {
		list = append(list, s)
	}
	out := make([]Object, 0, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		out = append(out, Object{list[i].name, m.Bytes(list[i].v)})
	}
	return out
}
