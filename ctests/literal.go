package ctests

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"klabel/input"
)

// limitNames are the names that people write for extreme values, by size.
var signedLimits = map[int64][2]string{1: {"SCHAR_MIN", "SCHAR_MAX"}, 2: {"SHRT_MIN", "SHRT_MAX"},
	4: {"INT_MIN", "INT_MAX"}, 8: {"LLONG_MIN", "LLONG_MAX"}}
var unsignedLimits = map[int64]string{1: "UCHAR_MAX", 2: "USHRT_MAX", 4: "UINT_MAX", 8: "ULLONG_MAX"}

// integer writes an integer of a type.
func integer(b []byte, t *input.Type) string {
	if t.Size > 8 {
		return wide(b, t)
	}
	v := input.Integer(b, t.Signed)
	if t.Kind == input.Enum {
		for _, e := range t.Enumerators {
			if e.Value == v {
				return e.Name
			}
		}
		if t.Tag != "" {
			return "(" + t.Tag + ")" + strconv.FormatInt(v, 10)
		}
	}
	if t.Char && strings.HasPrefix(t.Decl, "char ") && v >= 32 && v < 127 {
		return character(byte(v))
	}
	return number(v, t.Size, t.Signed)
}

func number(v int64, size int64, signed bool) string {
	if signed {
		l := signedLimits[size]
		bits := uint(size * 8)
		switch {
		case v == math.MinInt64>>(64-bits):
			return l[0]
		case size > 1 && v == math.MaxInt64>>(64-bits):
			return l[1]
		case v > math.MaxInt32 || v < math.MinInt32:
			return strconv.FormatInt(v, 10) + "LL"
		}
		return strconv.FormatInt(v, 10)
	}
	u := uint64(v)
	if size < 8 {
		u &= 1<<(8*uint(size)) - 1
	}
	switch {
	case size > 1 && u == math.MaxUint64>>(64-8*uint(size)):
		return unsignedLimits[size]
	case u > math.MaxInt64:
		return fmt.Sprintf("%#xULL", u)
	case u > math.MaxUint32:
		return strconv.FormatUint(u, 10) + "ULL"
	case u > math.MaxInt32:
		return strconv.FormatUint(u, 10) + "U"
	}
	return strconv.FormatUint(u, 10)
}

// wide writes an integer of 128 bits.
func wide(b []byte, t *input.Type) string {
	var buf [16]byte
	copy(buf[:], b)
	lo, hi := binary.LittleEndian.Uint64(buf[:8]), binary.LittleEndian.Uint64(buf[8:])
	if hi == 0 {
		return number(int64(lo), 8, false)
	}
	s := fmt.Sprintf("((unsigned __int128)%#xULL << 64 | %#xULL)", hi, lo)
	if t.Signed {
		s = "(__int128)" + s
	}
	return s
}

func character(c byte) string {
	switch c {
	case '\'':
		return `'\''`
	case '\\':
		return `'\\'`
	}
	return "'" + string(rune(c)) + "'"
}

// text writes characters as a string literal; trigraphs and digits after an
// octal escape are taken care of.
func text(b []byte) string {
	var s strings.Builder
	s.WriteByte('"')
	for i, c := range b {
		switch {
		case c == '"' || c == '\\':
			s.WriteByte('\\')
			s.WriteByte(c)
		case c == '\n':
			s.WriteString(`\n`)
		case c == '\t':
			s.WriteString(`\t`)
		case c == '\r':
			s.WriteString(`\r`)
		case c == '?' && i > 0 && b[i-1] == '?':
			s.WriteString(`\?`)
		case c >= 32 && c < 127:
			s.WriteByte(c)
		default:
			fmt.Fprintf(&s, `\%03o`, c)
		}
	}
	s.WriteByte('"')
	return s.String()
}

// float writes a floating-point number from its bits.
func float(b []byte, t *input.Type) (string, bool) {
	var v float64
	switch {
	case t.Size == 4 && len(b) >= 4:
		v = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case t.Size == 8 && len(b) >= 8:
		v = math.Float64frombits(binary.LittleEndian.Uint64(b))
	default:
		return "", false
	}
	return floatNumber(v), true
}

func floatNumber(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NAN"
	case math.IsInf(v, 1):
		return "INFINITY"
	case math.IsInf(v, -1):
		return "-INFINITY"
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
