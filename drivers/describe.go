package drivers

import (
	"fmt"
	"slices"
	"sort"

	"modernc.org/cc/v4"

	"klabel/input"
)

// known are the names of the values that the entry and the stubs build.
func (b *builder) known() []string {
	out := slices.Clone(b.stubValues)
	has := map[string]bool{}
	for _, n := range out {
		has[n] = true
	}
	for n := range b.exprs {
		if !has[n] {
			out = append(out, n)
		}
	}
	return out
}

// describe completes the description of the inputs with what concerns the
// function and the program around it.
func (b *builder) describe(desc *input.Driver, params []param, refs []*cc.Declarator) {
	if f := b.fn.Type; f != nil {
		desc.Variadic = f.IsVariadic()
		if f.Result().Kind() != cc.Void {
			desc.Result = b.result(f.Result())
		}
	}
	near := map[string]bool{}
	for _, d := range refs {
		near[d.Name()] = true
	}
	for _, st := range b.stubbed {
		if near[st.name] || st.replaces {
			desc.Calls = append(desc.Calls, st.call)
		} else {
			desc.Undefined = append(desc.Undefined, unreached(st.call.Head))
		}
	}
	desc.Calls = append(desc.Calls, b.calls...)
	desc.Undefined = append(desc.Undefined, b.lacking...)
	if b.lists != "" {
		desc.Undefined = append(desc.Undefined, b.lists)
	}
	desc.Undefined = append(desc.Undefined, b.helpers...)
	desc.Main = b.renames["main"]
	for from, to := range b.renames {
		if def := b.unit.Function(from); from != "main" && def != nil {
			start := b.unit.Origin(def.Span.Start)
			desc.Replaced = append(desc.Replaced, input.Replaced{
				Name: from, To: to, File: start.File, StartLine: start.Line, StartColumn: start.Column,
				NameLine: def.Origin.Line, NameColumn: def.Origin.Column,
			})
		}
	}
	sort.Slice(desc.Replaced, func(i, j int) bool { return desc.Replaced[i].StartLine < desc.Replaced[j].StartLine })
	desc.Const = map[string]bool{}
	for _, p := range params {
		desc.Params = append(desc.Params, p.name)
		if pt, ok := p.typ.(*cc.PointerType); ok && isConst(pt.Elem()) {
			desc.Const[p.name] = true
		}
	}
}

// result is the type of what the function returns, nil when it is not one that
// tests can look at.
func (b *builder) result(t cc.Type) *input.Type {
	it, err := b.ts.of(t)
	if err == nil {
		return it
	}
	if p, ok := t.(*cc.PointerType); ok {
		decl, _ := b.ts.declare(p, "@", true)
		return &input.Type{Kind: input.Pointer, Decl: decl, Size: p.Size()}
	}
	return nil
}

// own is in front of functions that drivers add. They are nothing to debug; and
// that they keep to their own objects needs no check: most of what there is to
// compile for replays is theirs, and UBSan's checks were the larger part of it.
// AddressSanitizer sees to what they hand over, and calls are checked.
const own = `__attribute__((nodebug, no_sanitize("null", "bounds"))) `

// function writes the entry's C, call is its last step.
func (b *builder) function(symbol, globals, call string) string {
	return fmt.Sprintf("# 1 %s\n%s"+own+"void %s(void)\n{\n%s%s    klabel_entry_end();\n}\n\n",
		quote(placeOf(b.number, b.fn.Name)), b.top.String(), symbol, b.insertGlobals(b.cur.text(), globals), call)
}
