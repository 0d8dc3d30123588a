package csource

import "bytes"

// __builtin_types_compatible_p is a call of an unknown function to the parser, for what it says of types itself is
// not always what compilers say, and a condition that is taken for a constant has no labels. Where C wants a
// constant, in a case, the size of an array or of a bit-field (ARRAY_SIZE of many programs refuses pointers so), the
// call will not do: such a file is read once more with the parser's own there.

const (
	compatible = "__builtin_types_compatible_p"
	itsOwn     = "__ccgo__types_compatible_p((%1){},(%2){})"
)

// demand has the view written with constants where C demands them; false if that changes nothing.
func (u *Unit) demand() bool {
	if u.view.constants || !bytes.Contains(u.Text, []byte(compatible)) {
		return false
	}
	v := u.view.again()
	v.constants = true
	v.write()
	u.view = v
	return true
}

// nest follows brackets, and the values of cases. A brace behind a parenthesis opens statements.
func (v *view) nest(t token, before byte) {
	switch c := v.src[t.start]; {
	case string(v.src[t.start:t.end]) == "case":
		v.ofCase = true
	case c == ':':
		v.ofCase = false
	case c == '{' && before == '(':
		v.nested = append(v.nested, ';')
	case c == '(' || c == '[' || c == '{':
		v.nested = append(v.nested, c)
	case (c == ')' || c == ']' || c == '}') && len(v.nested) > 0:
		v.nested = v.nested[:len(v.nested)-1]
	}
}

// demanded reports whether a constant is demanded here: in brackets, in a case, or in the fields of a
// structure that stands in an expression.
func (v *view) demanded() bool {
	if v.ofCase || bytes.IndexByte(v.nested, '[') >= 0 {
		return true
	}
	open := bytes.IndexByte(v.nested, '(')
	return open >= 0 && bytes.IndexByte(v.nested[open:], '{') >= 0
}
