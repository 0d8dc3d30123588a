package ctests

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"klabel/input"
)

// errBytes is returned for a value that only its bytes can show.
type bytesOnly struct{ name string }

func (e *bytesOnly) Error() string { return e.name + " can be shown by its bytes alone" }

// initialiser writes the value of a type as an initialiser. parts gives the
// values that are built apart, by their place in the whole ("" for the type
// itself).
func initialiser(b []byte, t *input.Type, path string, parts map[string]string) (string, error) {
	if s, ok := parts[path]; ok {
		return s, nil
	}
	switch t.Kind {
	case input.Int, input.Enum:
		return integer(b, t), nil
	case input.Bool:
		if len(b) > 0 && b[0] != 0 {
			return "1", nil
		}
		return "0", nil
	case input.Float:
		if s, ok := float(b, t); ok {
			return s, nil
		}
		return "", &bytesOnly{path}
	case input.Pointer:
		return "NULL", nil
	case input.Array:
		return arrayInitialiser(b, t, path, parts)
	case input.Struct:
		return structInitialiser(b, t, path, parts)
	case input.Union:
		return unionInitialiser(b, t, path, parts)
	}
	return "", &bytesOnly{path}
}

func arrayInitialiser(b []byte, t *input.Type, path string, parts map[string]string) (string, error) {
	size := t.Elem.Size
	if t.Elem.Char && strings.HasPrefix(t.Elem.Decl, "char ") && int64(len(b)) == t.Len && readable(b) {
		end := bytes.IndexByte(b, 0)
		if end >= 0 && len(bytes.Trim(b[end:], "\x00")) == 0 {
			return text(b[:end]), nil
		}
	}
	var items []string
	last := 0
	for i := int64(0); i < t.Len; i++ {
		var own []byte
		if b != nil {
			own = slice(b, i*size, size)
		}
		s, err := initialiser(own, t.Elem, fmt.Sprintf("%s[%d]", path, i), parts)
		if err != nil {
			return "", err
		}
		items = append(items, s)
		if s != "0" && s != "NULL" && s != "{0}" && s != "0.0" {
			last = len(items)
		}
	}
	if last == 0 {
		return "{0}", nil
	}
	return "{" + strings.Join(items[:last], ", ") + "}", nil
}

// readable reports whether characters are text.
func readable(b []byte) bool {
	for _, c := range bytes.TrimRight(b, "\x00") {
		if c < 32 && c != '\n' && c != '\t' && c != '\r' || c >= 127 {
			return false
		}
	}
	return true
}

func structInitialiser(b []byte, t *input.Type, path string, parts map[string]string) (string, error) {
	var items []string
	if len(bytes.Trim(b, "\x00")) > 0 && slices.ContainsFunc(t.Fields, misplaced) {
		return "", &bytesOnly{path}
	}
	for _, f := range t.Fields {
		p := path
		if f.Name != "" {
			p += "." + f.Name
		}
		var own []byte
		switch {
		case b != nil && f.Bits > 0:
			own = bitsOf(b, f)
		case b != nil:
			own = slice(b, f.Offset, f.Type.Size)
		}
		s, err := initialiser(own, f.Type, p, parts)
		if err != nil {
			return "", err
		}
		if s == "0" || s == "NULL" || s == "{0}" || s == "0.0" || s == `""` {
			continue
		}
		if f.Name == "" { // an anonymous member: its fields are the whole's
			items = append(items, strings.TrimSuffix(strings.TrimPrefix(s, "{"), "}"))
			continue
		}
		items = append(items, "."+f.Name+" = "+s)
	}
	if len(items) == 0 {
		return "{0}", nil
	}
	return "{" + strings.Join(items, ", ") + "}", nil
}

// unionInitialiser writes the member that shows all of the union's bytes.
func unionInitialiser(b []byte, t *input.Type, path string, parts map[string]string) (string, error) {
	for _, f := range t.Fields {
		p := path + "." + f.Name
		if s, ok := parts[p]; ok {
			return "{." + f.Name + " = " + s + "}", nil
		}
	}
	if len(bytes.Trim(b, "\x00")) == 0 {
		return "{0}", nil
	}
	for _, f := range t.Fields {
		if f.Name == "" || f.Bits > 0 || !plain(f.Type) ||
			len(bytes.Trim(b[min(int64(len(b)), f.Type.Size):], "\x00")) != 0 {
			continue
		}
		s, err := initialiser(slice(b, 0, f.Type.Size), f.Type, path+"."+f.Name, parts)
		if err != nil {
			continue
		}
		// The rest of the union is zero only if the first member's initialiser
		// reaches it; a member of full size is safe.
		if f.Type.Size == t.Size {
			return "{." + f.Name + " = " + s + "}", nil
		}
	}
	return "", &bytesOnly{path}
}

// plain reports whether a type's bytes are all in numbers without padding.
func plain(t *input.Type) bool {
	switch t.Kind {
	case input.Int, input.Enum:
		return true
	case input.Array:
		return t.Elem != nil && plain(t.Elem)
	case input.Struct:
		end := int64(0)
		for _, f := range t.Fields {
			if f.Bits > 0 || f.Offset != end || !plain(f.Type) {
				return false
			}
			end = f.Offset + f.Type.Size
		}
		return end == t.Size
	}
	return false
}

// slice is b[off:off+n], with zeros for what b lacks.
func slice(b []byte, off, n int64) []byte {
	out := make([]byte, max(n, 0))
	if off < int64(len(b)) {
		copy(out, b[off:])
	}
	return out
}

// misplaced reports whether a bit-field would lie in two units of its type: it begins
// with the next one then, and what the parser says of its place is not true.
func misplaced(f input.Field) bool {
	unit := int(f.Type.Size) * 8
	return f.Bits > 0 && (int(f.Offset)*8+f.Shift)%unit+f.Bits > unit
}

// bitsOf is the value of a bit-field in the bytes of the whole, as its type holds it.
func bitsOf(b []byte, f input.Field) []byte {
	out := make([]byte, f.Type.Size)
	bit := func(i int) byte {
		at := int(f.Offset)*8 + f.Shift + i
		if at/8 >= len(b) {
			return 0
		}
		return b[at/8] >> (at % 8) & 1
	}
	for i := range len(out) * 8 {
		from := i
		if i >= f.Bits {
			if !f.Type.Signed {
				break
			}
			from = f.Bits - 1 // the sign
		}
		out[i/8] |= bit(from) << (i % 8)
	}
	return out
}

// byteList writes bytes as the items of an array.
func byteList(b []byte) string {
	var s []string
	for _, c := range b {
		s = append(s, fmt.Sprintf("0x%02x", c))
	}
	return strings.Join(s, ", ")
}
