package input

import "strings"

// Scalar is a number, or a character, in the bytes of an object.
type Scalar struct {
	At, Size      int64 // in bytes
	Float, Signed bool
	Text          bool // a plain char
}

// maxScalars bounds those of one object that are told, maxFractions those with a fraction.
const (
	maxScalars   = 4096
	maxFractions = 256
)

// Scalars are what the objects of a driver's inputs consist of, by the names of the objects. Choices among pointers
// and values are none.
func (d *Driver) Scalars() map[string][]Scalar {
	out := map[string][]Scalar{}
	d.each(func(in *Input) { in.scalars(out, scalars{most: maxScalars}) })
	return out
}

// Fractions are the floating-point numbers of a driver's inputs, by the names of the objects that hold them.
func (d *Driver) Fractions() map[string][]Scalar {
	out := map[string][]Scalar{}
	d.each(func(in *Input) { in.scalars(out, scalars{floats: true, most: maxFractions}) })
	return out
}

// each visits every input, those inside others and behind pointers, too.
func (d *Driver) each(visit func(*Input)) {
	for _, in := range d.Inputs {
		in.each(visit)
	}
	for _, in := range d.Beside {
		in.each(visit)
	}
	for _, s := range d.Steps {
		for _, c := range s.Choices {
			for _, in := range c.Args {
				in.each(visit)
			}
		}
	}
	for _, c := range d.Calls {
		c.Result.each(visit)
		for _, in := range c.Outputs {
			in.each(visit)
		}
	}
}

func (in *Input) each(visit func(*Input)) {
	if in == nil {
		return
	}
	visit(in)
	for _, p := range in.Parts {
		p.each(visit)
	}
	for _, p := range in.Members {
		p.each(visit)
	}
	for _, t := range in.Targets {
		t.Value.each(visit)
	}
}

// scalars adds those of an input under its object's name, if that has none yet.
func (in *Input) scalars(out map[string][]Scalar, s scalars) {
	if in.Object == "" || len(in.Picks) > 0 || len(out[in.Object]) > 0 {
		return
	}
	s.of(in.Type, 0)
	for i := int64(0); in.TailElem != nil && i < in.Tail && len(s.list) < s.most; i++ {
		s.of(in.TailElem, in.TailOffset+i*in.TailElem.Size)
	}
	if len(s.list) > 0 {
		out[in.Object] = s.list
	}
}

// scalars collects those of types.
type scalars struct {
	list   []Scalar
	floats bool // these alone
	most   int
}

// of adds those of a type. Of a union's members, which share their bytes, the first one's count.
func (s *scalars) of(t *Type, at int64) {
	if t == nil || len(s.list) >= s.most {
		return
	}
	switch t.Kind {
	case Float:
		s.list = append(s.list, Scalar{At: at, Size: t.Size, Float: true})
	case Int, Bool, Enum:
		if !s.floats {
			s.list = append(s.list, Scalar{At: at, Size: t.Size, Signed: t.Signed, Text: t.plainChar()})
		}
	case Array:
		for i := int64(0); i < t.Len && len(s.list) < s.most && t.Elem != nil; i++ {
			before := len(s.list)
			if s.of(t.Elem, at+i*t.Elem.Size); len(s.list) == before {
				break // nor has another one
			}
		}
	case Struct, Union:
		for i, f := range t.Fields {
			if f.Bits == 0 && (i == 0 || t.Kind == Struct) {
				s.of(f.Type, at+f.Offset)
			}
		}
	}
}

func (t *Type) plainChar() bool {
	return t.Char && strings.TrimPrefix(t.Declare(""), "const ") == "char"
}
