package input

// Fraction is a floating-point number in the bytes of an object.
type Fraction struct{ At, Size int64 }

// maxFractions bounds those of one object that are told.
const maxFractions = 256

// Fractions are the floating-point numbers of a driver's inputs, by the names of the objects that hold them.
func (d *Driver) Fractions() map[string][]Fraction {
	out := map[string][]Fraction{}
	see := func(in *Input) { in.fractions(out) }
	for _, in := range d.Inputs {
		see(in)
	}
	for _, in := range d.Beside {
		see(in)
	}
	for _, s := range d.Steps {
		for _, c := range s.Choices {
			for _, in := range c.Args {
				see(in)
			}
		}
	}
	for _, c := range d.Calls {
		see(c.Result)
		for _, in := range c.Outputs {
			see(in)
		}
	}
	return out
}

func (in *Input) fractions(out map[string][]Fraction) {
	if in == nil {
		return
	}
	if in.Object != "" && len(in.Picks) == 0 && len(out[in.Object]) == 0 {
		list := in.Type.fractions(nil, 0)
		for i := int64(0); in.TailElem != nil && i < in.Tail && len(list) < maxFractions; i++ {
			list = in.TailElem.fractions(list, in.TailOffset+i*in.TailElem.Size)
		}
		if len(list) > 0 {
			out[in.Object] = list
		}
	}
	for _, p := range in.Parts {
		p.fractions(out)
	}
	for _, p := range in.Members {
		p.fractions(out)
	}
	for _, t := range in.Targets {
		t.Value.fractions(out)
	}
}

// fractions adds those of a type to a list. Of a union's members, which share their bytes, the first one's do.
func (t *Type) fractions(list []Fraction, at int64) []Fraction {
	if t == nil || len(list) >= maxFractions {
		return list
	}
	switch t.Kind {
	case Float:
		return append(list, Fraction{At: at, Size: t.Size})
	case Array:
		for i := int64(0); i < t.Len && len(list) < maxFractions && t.Elem != nil; i++ {
			before := len(list)
			if list = t.Elem.fractions(list, at+i*t.Elem.Size); len(list) == before {
				break // nor has another one
			}
		}
	case Struct, Union:
		for i, f := range t.Fields {
			if f.Bits == 0 && (i == 0 || t.Kind == Struct) {
				list = f.Type.fractions(list, at+f.Offset)
			}
		}
	}
	return list
}
