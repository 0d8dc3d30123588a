package annotate

import "klabel/annotate/ctree"

// absoluteValue: WM ABS, a signed operand is negative: a mutant that takes its
// absolute value would differ.
type absoluteValue struct{}

func (absoluteValue) mark(f *function, tag string) {
	for _, e := range f.exprs {
		if _, ok := binary(e); !ok {
			continue
		}
		for i, k := range e.Kids {
			n, ok := k.Num()
			if !ok || !n.Signed || k.Const {
				continue
			}
			if e.Kind == ctree.Assign && i == 0 {
				if k.Pure {
					f.pre(e).add(f.src(k)+" < 0", tag)
				}
				continue
			}
			if s, text := f.value(k); s != nil {
				s.add(text+" < 0", tag)
			}
		}
	}
}
