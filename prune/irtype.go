package prune

import (
	"strconv"
	"strings"
)

// splitType cuts `[4 x i32], i64 %n` at the comma outside brackets.
func splitType(s string) (typ, rest string, more bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[', '{', '<', '(':
			depth++
		case ']', '}', '>', ')':
			depth--
		case ',':
			if depth == 0 {
				return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:]), true
			}
		}
	}
	return strings.TrimSpace(s), "", false
}

// size returns the size of a type in bytes as LLVM lays it out on x86-64, -1 if
// it is not known, and whether it is a scalar.
func (w *irWriter) size(t string, depth int) (int64, bool) {
	n, _ := w.layout(t, depth)
	scalar := t != "" && t[0] != '[' && t[0] != '{' && t[0] != '<' && t[0] != '%' || strings.HasSuffix(t, "*")
	return n, scalar
}

func (w *irWriter) layout(t string, depth int) (size, align int64) {
	t = strings.TrimSpace(t)
	switch {
	case depth > 50 || t == "":
		return -1, 1
	case strings.HasSuffix(t, "*") || t == "ptr":
		return 8, 8
	case t == "float":
		return 4, 4
	case t == "double":
		return 8, 8
	case t == "x86_fp80", t == "fp128":
		return 16, 16
	case t[0] == 'i':
		bits, err := strconv.Atoi(t[1:])
		if err != nil || bits <= 0 || bits > 128 {
			return -1, 1
		}
		b := int64(1)
		for b*8 < int64(bits) {
			b *= 2
		}
		return b, b
	case t[0] == '[':
		n, elem, ok := strings.Cut(t[1:len(t)-1], " x ")
		k, err := strconv.ParseInt(n, 10, 40)
		if !ok || err != nil {
			return -1, 1
		}
		s, a := w.layout(elem, depth+1)
		if s < 0 || k > 1<<20 {
			return -1, 1
		}
		return s * k, a
	case t[0] == '%':
		return w.layout(w.types[t], depth+1)
	case strings.HasPrefix(t, "<{"):
		s, _ := w.fields(t[2:len(t)-2], depth, true)
		return s, 1
	case t[0] == '{':
		return w.fields(t[1:len(t)-1], depth, false)
	}
	return -1, 1
}

func (w *irWriter) fields(list string, depth int, packed bool) (size, align int64) {
	align = 1
	for list != "" {
		f, rest, _ := splitType(list)
		list = rest
		s, a := w.layout(f, depth+1)
		if s < 0 {
			return -1, 1
		}
		if packed {
			a = 1
		}
		size = (size+a-1)/a*a + s
		align = max(align, a)
	}
	return (size + align - 1) / align * align, align
}

// inner says that a function touches no memory of the program's.
func (w *irWriter) inner() string {
	if w.major >= 16 {
		return "memory(inaccessiblemem: readwrite)"
	}
	return "inaccessiblememonly"
}
