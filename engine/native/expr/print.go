package expr

import (
	"fmt"
	"strings"
)

// String writes e as an s-expression, cut when it is long. Leaves appear as
// @position:width in bits of the builder's space.
func (e *Expr) String() string {
	var s strings.Builder
	e.write(&s, 4000)
	return s.String()
}

func (e *Expr) write(s *strings.Builder, limit int) {
	if s.Len() > limit {
		if !strings.HasSuffix(s.String(), "…") {
			s.WriteString("…")
		}
		return
	}
	switch e.op {
	case OpConst:
		if e.hi != 0 {
			fmt.Fprintf(s, "0x%x%016x:%d", e.hi, e.lo, e.width)
			return
		}
		fmt.Fprintf(s, "%d:%d", e.lo, e.width)
	case OpLeaf:
		fmt.Fprintf(s, "@%d:%d", e.lo, e.width)
	default:
		fmt.Fprintf(s, "(%s", e.op)
		switch e.op {
		case OpExtract:
			fmt.Fprintf(s, " %d+%d", e.low, e.width)
		case OpZExt, OpSExt:
			fmt.Fprintf(s, " %d", e.width)
		}
		for i := 0; i < e.NumKids(); i++ {
			s.WriteByte(' ')
			e.Kid(i).write(s, limit)
		}
		s.WriteByte(')')
	}
}
