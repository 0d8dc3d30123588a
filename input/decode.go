package input

import (
	"encoding/binary"
	"fmt"
	"slices"

	"klabel/ktest"
)

// Value is an input with what a test says of it.
type Value struct {
	*Input
	Bytes []byte // nil when the value has no object; as long as the type, or shorter
	Parts []*Value

	// For pointers.
	Null   bool
	Target *Target
	To     *Value // the value pointed to; nil for NULL, an alias and a function
	At     int    // which item of a shared target is meant
	Count  int    // number of items behind the pointer, -1 for all that there are

	Pick   int // index into Picks
	Member int // for a union with Select: 0, or the number of the member that is the last of Parts
}

// Called is one call of a stub: what it gave.
type Called struct {
	*Call
	Result  *Value
	Outputs []*Value
}

// Prepared is a call before that of the function under test.
type Prepared struct {
	*Prepare
	Args []*Value // nil where the object is passed
}

// Test is a decoded test.
type Test struct {
	Values []*Value
	Beside []*Value
	Steps  []Prepared
	Fails  int // which allocation of the function's fails, 0 for none
	Stream int // which of its calls on streams fails, 0 for none
	Calls  []Called
	Rest   []ktest.Object // objects that the description does not know, in order

	Variables []ktest.Variable // of the environment
}

// Decode reads a test along the description of its driver. Inputs that the
// test ends before are zero, as in a replay.
func (d *Driver) Decode(t *ktest.Test) (*Test, error) {
	vars, t := t.Variables()
	c := &cursor{objects: t.Objects}
	out := &Test{Variables: vars}
	for _, in := range d.Inputs {
		v, err := c.value(in)
		if err != nil {
			return nil, err
		}
		out.Values = append(out.Values, v)
	}
	for _, in := range d.Beside {
		out.Beside = append(out.Beside, &Value{Input: in, Null: true, Count: -1})
	}
	made := map[string]bool{}
	for i := range d.Steps {
		p, err := c.step(&d.Steps[i])
		if err != nil {
			return nil, err
		}
		if p.Prepare != nil {
			out.Steps = append(out.Steps, p)
			made[p.Result], made[p.Out] = true, true
		}
	}
	byName := map[string]*Value{}
	for _, v := range out.Values {
		index(v, byName)
	}
	for _, v := range byName {
		v.Null = v.Null && !(v.Made && made[v.Name])
		if v.Target != nil && v.Target.Count != "" {
			if n, ok := byName[v.Target.Count]; ok {
				v.Count = int(n.Integer())
				if v.Target.UpTo && v.Count >= 0 {
					v.Count++
				}
			}
		}
	}
	for len(c.objects) > 0 {
		// What fails is asked after the calls of steps, and with it what these ask of stubs.
		if n := d.told(c.objects[0].Name, out); n != nil {
			if b := c.objects[0].Data; len(b) > 0 {
				*n = int(b[0])
			}
			c.objects = c.objects[1:]
			continue
		}
		call := d.call(c.objects[0].Name)
		if call == nil {
			out.Rest = append(out.Rest, c.objects[0])
			c.objects = c.objects[1:]
			continue
		}
		got := Called{Call: call}
		var err error
		for _, o := range call.Outputs {
			if len(c.objects) == 0 || c.objects[0].Name != o.Object {
				got.Outputs = append(got.Outputs, nil) // a NULL argument: nothing asked
				continue
			}
			v, err := c.value(o)
			if err != nil {
				return nil, err
			}
			got.Outputs = append(got.Outputs, v)
		}
		if call.Result != nil {
			if got.Result, err = c.value(call.Result); err != nil {
				return nil, err
			}
		}
		out.Calls = append(out.Calls, got)
	}
	return out, nil
}

// told is what an object says that fails, nil for other objects.
func (d *Driver) told(object string, t *Test) *int {
	switch object {
	case "":
		return nil
	case d.Fails:
		return &t.Fails
	case d.Streams:
		return &t.Stream
	}
	return nil
}

// call finds the stub whose first object has the name.
func (d *Driver) call(object string) *Call {
	for _, c := range d.Calls {
		if c.Result != nil && first(c.Result) == object {
			return c
		}
		for _, o := range c.Outputs {
			if first(o) == object {
				return c
			}
		}
	}
	return nil
}

// first is the name of the first object that a value asks for.
func first(in *Input) string {
	if in.Object != "" {
		return in.Object
	}
	for _, t := range in.Targets {
		if t.Value != nil {
			return first(t.Value)
		}
	}
	for _, p := range in.Parts {
		if n := first(p.Input); n != "" {
			return n
		}
	}
	return ""
}

func index(v *Value, m map[string]*Value) {
	if v == nil {
		return
	}
	m[v.Name] = v
	for _, p := range v.Parts {
		index(p, m)
	}
	// Fields that came with the bytes of the whole can be counts, too.
	if v.Bytes != nil && v.Type.Kind == Struct {
		for _, f := range v.Type.Fields {
			name := v.Name + "." + f.Name
			if base, ok := cutStar(v.Name); ok {
				name = base + "->" + f.Name
			}
			end := f.Offset + f.Type.Size
			if _, ok := m[name]; ok || f.Bits > 0 || end > int64(len(v.Bytes)) || f.Type.Kind != Int {
				continue
			}
			m[name] = &Value{Input: &Input{Name: name, Type: f.Type}, Bytes: v.Bytes[f.Offset:end]}
		}
	}
	index(v.To, m)
}

func cutStar(name string) (string, bool) {
	if len(name) > 1 && name[0] == '*' {
		return name[1:], true
	}
	return name, false
}

// cursor walks the objects of a test in order.
type cursor struct{ objects []ktest.Object }

// take returns the bytes of the next object, which must have the name.
func (c *cursor) take(name string, size int64) ([]byte, error) {
	if len(c.objects) == 0 {
		return make([]byte, max(size, 0)), nil
	}
	o := c.objects[0]
	if o.Name != name {
		return nil, fmt.Errorf("the test holds %q where %q is due: it was made with another driver", o.Name, name)
	}
	c.objects = c.objects[1:]
	return o.Data, nil
}

// LetsFail reports whether an allocation may fail in a test, or a call on a stream.
func (d *Driver) LetsFail(t *ktest.Test) bool {
	if d.Fails != "" && !d.FailsIfTold {
		return true
	}
	return slices.ContainsFunc(t.Objects, func(o ktest.Object) bool {
		return o.Name == d.Fails && o.Name != "" || o.Name == d.Streams && o.Name != ""
	})
}

// Failures are the objects by which a test lets something fail that otherwise does not.
func (d *Driver) Failures() (out []string) {
	if d.FailsIfTold {
		out = append(out, d.Fails)
	}
	if d.Streams != "" {
		out = append(out, d.Streams)
	}
	return out
}

func (c *cursor) step(s *Step) (p Prepared, err error) {
	b, err := c.take(s.Object, 1)
	if err != nil || len(b) == 0 || b[0] == 0 || len(s.Choices) == 0 {
		return p, err
	}
	p.Prepare = &s.Choices[min(int(b[0]), len(s.Choices))-1]
	for _, in := range p.Prepare.Args {
		var v *Value
		if in != nil {
			if v, err = c.value(in); err != nil {
				return p, err
			}
		}
		p.Args = append(p.Args, v)
	}
	return p, nil
}

func (c *cursor) value(in *Input) (*Value, error) {
	v := &Value{Input: in, Count: -1}
	switch {
	case len(in.Picks) > 0:
		b, err := c.take(in.Object, 1)
		if err != nil {
			return nil, err
		}
		if len(b) > 0 {
			v.Pick = min(int(b[0]), len(in.Picks)-1)
		}
		return v, nil
	case in.Type.Kind == Pointer && len(in.Parts) == 0: // the arguments of main are parts
		return v, c.pointer(v)
	case in.Object != "":
		b, err := c.take(in.Object, in.Type.Size)
		if err != nil {
			return nil, err
		}
		v.Bytes = append([]byte{}, b...)
		if in.Text && len(v.Bytes) > 0 {
			v.Bytes[len(v.Bytes)-1] = 0
		}
		if in.Mask && len(v.Bytes) > 0 {
			v.Bytes[0] &= 1
		}
	}
	parts := in.Parts
	if in.Select != "" {
		b, err := c.take(in.Select, 1)
		if err != nil {
			return nil, err
		}
		if len(b) > 0 && b[0] > 0 {
			v.Member = min(int(b[0]), len(in.Members))
			parts = append(parts[:len(parts):len(parts)], in.Members[v.Member-1])
		}
	}
	for _, p := range parts {
		pv, err := c.value(p.Input)
		if err != nil {
			return nil, err
		}
		v.Parts = append(v.Parts, pv)
	}
	return v, nil
}

func (c *cursor) pointer(v *Value) error {
	choice := 0
	if v.Object != "" {
		b, err := c.take(v.Object, 1)
		if err != nil {
			return err
		}
		if len(b) > 0 {
			choice = int(b[0])
		}
	}
	if v.Nullable {
		if choice == 0 {
			v.Null = true
			return nil
		}
		choice--
	}
	if len(v.Targets) == 0 {
		v.Null = true
		return nil
	}
	v.Target = &v.Targets[min(choice, len(v.Targets)-1)]
	v.At = v.Target.Past
	if v.Target.At != "" && len(c.objects) > 0 && c.objects[0].Name == v.Target.At {
		// Nothing is asked where the shared pointer is NULL.
		b, err := c.take(v.Target.At, 1)
		if err != nil {
			return err
		}
		if len(b) > 0 {
			v.At = int(b[0]) * max(v.Target.Stride, 1)
		}
	}
	if v.Target.Value == nil {
		return nil
	}
	var err error
	v.To, err = c.value(v.Target.Value)
	return err
}

// Content is what a stream or a file holds, whose value this is: the last byte,
// cut by a mask, says how many of the others.
func (v *Value) Content() []byte {
	room := max(len(v.Bytes)-1, 0)
	if room == 0 {
		return nil
	}
	return v.Bytes[:int(v.Bytes[room])&room]
}

// Integer is the value of an integer, little-endian.
func (v *Value) Integer() int64 {
	return Integer(v.Bytes, v.Type.Signed)
}

// Integer reads up to eight bytes, little-endian.
func Integer(b []byte, signed bool) int64 {
	var buf [8]byte
	n := copy(buf[:], b)
	if signed && n > 0 && n < 8 && buf[n-1]&0x80 != 0 {
		for i := n; i < 8; i++ {
			buf[i] = 0xff
		}
	}
	return int64(binary.LittleEndian.Uint64(buf[:]))
}
