package ctests

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"klabel/input"
)

// pointer returns C for a pointer and declares its target before.
func (w *body) pointer(v *input.Value) (string, error) {
	switch {
	case v.Null || v.Target == nil:
		return "NULL", nil
	case v.Target.Alias != "":
		return w.shared(v), nil
	case v.Target.Function != "":
		return v.Target.Function, nil
	case v.Target.Of != "": // steps make that object, and the call comes after them
		return strings.ReplaceAll(v.Target.Object, "@", w.made[v.Target.Of]), nil
	case v.Target.Object != "":
		return v.Target.Object, nil
	}
	if v.Target.Stream || v.Target.File != "" {
		return w.stream(v)
	}
	to := v.To
	name := w.ident(v.Name)
	place := name
	var err error
	w.within[v.Name] = true
	defer delete(w.within, v.Name)
	if v.Target.Heap && to.Tail == 0 {
		if place, err = w.fromHeap(name, v); err == nil {
			place = inside(v, place, "->")
			w.places[v.Name] = place
		}
		return place, err
	}
	switch {
	case v.Target.Single && to.Tail > 0:
		place, err = w.flexible(name, to)
	case v.Target.Single:
		place = inside(v, name, ".")
		err = w.declare(name, to.Type, to, v)
	case to.Text && constTarget(v):
		end := w.textEnd(v)
		if w.static { // what is initialised with it wants a constant
			w.line("static const %s = %s;", to.Type.Elem.Declare(name+"[]"), text(to.Bytes[:min(end, len(to.Bytes))]))
			break
		}
		w.line("const %s = %s;", to.Type.Elem.Declare("*"+name), textOf(to, end))
	default:
		err = w.declare(name, w.arrayType(v), to, v)
	}
	if err != nil {
		return "", err
	}
	w.places[v.Name] = place
	return place, nil
}

// inside is the address that a pointer gets of an item, or of the member of it that it leads to; by is "->" where
// the item is itself behind a pointer.
func inside(v *input.Value, item, by string) string {
	place := "&" + item
	switch {
	case v.Target.Path != "":
		place += by + v.Target.Path[1:]
	case by == "->":
		place = item
	}
	if v.Target.Cast {
		return "(" + v.Type.String() + ")" + place
	}
	return place
}

// shared is what a pointer leads to that shares the target of another, which may
// share that of a third.
func (w *body) shared(v *input.Value) string {
	to := w.owner(v)
	w.aliases[v.Name] = to
	if w.within[to.name] {
		w.back = append(w.back, link{"", to.name})
		return "NULL"
	}
	p, ok := w.places[to.name]
	if !ok {
		return "NULL"
	}
	if to.at > 0 {
		p = fmt.Sprintf("%s + %d", p, to.at)
	}
	return p
}

// owner is the pointer with a target of its own whose target another pointer shares.
func (w *body) owner(v *input.Value) alias {
	to := alias{v.Target.Alias, v.At}
	for range w.aliases { // no chain is longer
		next, ok := w.aliases[to.name]
		if !ok {
			break
		}
		to = alias{next.name, to.at + next.at}
	}
	return to
}

// lead notes how far pointers lead into the targets of others before anything is written: what is written shorter than
// it is has room for that.
func (w *body) lead(values ...*input.Value) {
	for _, v := range values {
		if v == nil {
			continue
		}
		if v.Type != nil && v.Type.Kind == input.Pointer && !v.Null && v.Target != nil && v.Target.Alias != "" {
			to := w.owner(v)
			w.aliases[v.Name] = to
			w.led[to.name] = max(w.led[to.name], to.at)
		}
		w.lead(v.To)
		w.lead(v.Parts...)
	}
}

// textEnd is how many characters of the text behind a pointer are written.
func (w *body) textEnd(v *input.Value) int {
	return max(textEnd(v.To.Bytes), min(w.led[v.Name]-1, len(v.To.Bytes)))
}

// stream writes a stream, or a file, that the function reads. A file has another
// name in each test.
func (w *body) stream(v *input.Value) (string, error) {
	content := v.To.Content()
	name := w.ident(v.Name)
	made := "klabel_stream(" + text(content) + fmt.Sprintf(", %d)", len(content))
	if v.Target.File != "" {
		made = fmt.Sprintf("klabel_file(%s, %d)", text(content), len(content))
	}
	w.line("%s = %s;", v.Type.Declare(name), made)
	w.places[v.Name] = name
	return name, nil
}

// arrayType is the type of the items behind a pointer, as many as there are.
func (w *body) arrayType(v *input.Value) *input.Type {
	t := v.To.Type
	made := slices.ContainsFunc(v.To.Parts, func(p *input.Value) bool { return p.Made }) // each item, told of or not
	if v.Count < 0 || int64(v.Count) >= t.Len || made {
		if v.To.Zeros == 0 {
			return t
		}
		longer := *t // what it has no initialisers for is 0
		longer.Decl = strings.Replace(t.Decl, fmt.Sprintf("@[%d]", t.Len), fmt.Sprintf("@[%d]", t.Len+v.To.Zeros), 1)
		longer.Size += v.To.Zeros * t.Elem.Size
		return &longer
	}
	n := min(max(int64(v.Count), int64(w.led[v.Name]), 1), t.Len)
	return &input.Type{Kind: input.Array, Elem: t.Elem, Len: n, Size: n * t.Elem.Size,
		Decl: strings.Replace(t.Decl, fmt.Sprintf("@[%d]", t.Len), fmt.Sprintf("@[%d]", n), 1)}
}

// fromHeap writes what a pointer leads to as a copy in memory from malloc,
// since the program may free it, and returns the copy's name.
func (w *body) fromHeap(name string, v *input.Value) (string, error) {
	was := w.static
	w.static, w.heap = false, true
	defer func() { w.static = was }()
	t := v.To.Type
	if !v.Target.Single {
		t = w.arrayType(v)
	}
	// Nothing is looked at after the call: it may be gone by then.
	if err := w.declare(name, t, v.To, &input.Value{Input: &input.Input{Type: &input.Type{Decl: "const "}}}); err !=
		nil {
		return "", err
	}
	place := w.ident(name + "_memory")
	item := t
	if !v.Target.Single && t.Elem != nil {
		item = t.Elem
	}
	pointer := "*" + place
	if item.Kind == input.Array {
		pointer = "(*" + place + ")"
	}
	w.allocated[place] = true
	w.line("%s = memcpy(malloc(sizeof %s), &%s, sizeof %s);", item.Declare(pointer), name, name, name)
	for made, lv := range w.made {
		if rest, ok := strings.CutPrefix(lv, name+"["); ok {
			w.made[made] = place + "[" + rest
		}
	}
	for i, l := range w.late {
		// What was to be assigned to the variable goes to the copy.
		if rest, ok := strings.CutPrefix(l, name+"."); ok && v.Target.Single {
			w.late[i] = place + "->" + rest
		} else if rest, ok := strings.CutPrefix(l, name+"["); ok {
			w.late[i] = place + "[" + rest
		}
	}
	return place, nil
}

// textEnd is where a text ends as it is written: at its NUL, or, where something stands
// behind that, at the last byte: a function that is told a length may look there.
func textEnd(b []byte) int {
	if rest := bytes.TrimRight(b, "\x00"); bytes.IndexByte(rest, 0) >= 0 {
		return len(rest)
	}
	return bytes.IndexByte(append(b[:len(b):len(b)], 0), 0)
}

// textOf writes a string; of other characters than char with a cast.
func textOf(v *input.Value, end int) string {
	s := text(v.Bytes[:min(end, len(v.Bytes))])
	if strings.HasPrefix(v.Type.Elem.Decl, "char ") {
		return s
	}
	return "(" + strings.TrimSpace(v.Type.Elem.Declare("const *")) + ")" + s
}

// constTarget reports whether a pointer's declaration promises not to write.
func constTarget(v *input.Value) bool { return strings.HasPrefix(v.Type.Decl, "const ") }

// flexible writes a structure that ends in an array without a length: it takes
// memory with room behind it.
func (w *body) flexible(name string, to *input.Value) (string, error) {
	tail := to.Tail * to.TailElem.Size
	room := fmt.Sprint(max(to.TailOffset+tail, to.Type.Size))
	if to.Object == "" { // the compiler knows where its fields are
		room = fmt.Sprintf("sizeof *%s + %d", name, tail)
	}
	before := len(w.back)
	parts, err := w.parts(to)
	if err != nil {
		return "", err
	}
	for _, l := range w.back[before:] {
		w.late = append(w.late, "(*"+name+")"+l.path+" = "+l.to)
	}
	w.back = w.back[:before]
	s, err := initialiser(slice(to.Bytes, 0, to.Type.Size), to.Type, "", parts)
	if err != nil {
		return "", err
	}
	w.allocated[name] = true
	w.line("%s = calloc(1, %s);", to.Type.Declare("*"+name), room)
	w.line("*%s = (%s)%s;", name, strings.TrimSpace(to.Type.Declare("")), s)
	for i := int64(0); i < to.Tail; i++ {
		item := slice(to.Bytes, to.TailOffset+i*to.TailElem.Size, to.TailElem.Size)
		s, err := initialiser(item, to.TailElem, fmt.Sprintf(".%s[%d]", to.TailName, i), parts)
		if err != nil {
			return "", err
		}
		if s != "0" && s != "{0}" && s != "0.0" && s != "NULL" {
			if strings.HasPrefix(s, "{") {
				of := strings.TrimSpace(to.TailElem.Declare(""))
				if strings.Contains(of, "<anonymous>") {
					of = fmt.Sprintf("__typeof__(%s->%s[0])", name, to.TailName)
				}
				s = "(" + of + ")" + s
			}
			w.line("%s->%s[%d] = %s;", name, to.TailName, i, s)
		}
	}
	return name, nil
}
