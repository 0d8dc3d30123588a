package annotate

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"klabel/annotate/ctree"
)

// libraryCall says what a function of string.h does with its arguments.
type libraryCall struct {
	pointers []int // arguments that may not be NULL
	reach    []int // those of them behind which as many bytes are touched as argument size says
	size     int
	copies   bool // the text of argument 1, with its NUL, goes to argument 0
}

var libraryCalls = map[string]libraryCall{
	"memcpy":  {pointers: []int{0, 1}, reach: []int{0, 1}, size: 2},
	"memmove": {pointers: []int{0, 1}, reach: []int{0, 1}, size: 2},
	"memcmp":  {pointers: []int{0, 1}, reach: []int{0, 1}, size: 2},
	"memset":  {pointers: []int{0}, reach: []int{0}, size: 2},
	"strncpy": {pointers: []int{0, 1}, reach: []int{0}, size: 2},
	"strcpy":  {pointers: []int{0, 1}, copies: true},
	"strcat":  {pointers: []int{0, 1}},
	"strncat": {pointers: []int{0, 1}},
	"strlen":  {pointers: []int{0}},
	"strcmp":  {pointers: []int{0, 1}},
	"strncmp": {pointers: []int{0, 1}},
	"strchr":  {pointers: []int{0}},
	"strrchr": {pointers: []int{0}},
	"strstr":  {pointers: []int{0, 1}},
	"strdup":  {pointers: []int{0}},
}

// longestText is up to which size of an array a text that does not fit is written
// out, character by character.
const longestText = 16

// call handles calls of the C library that touch what is not there: behind NULL, and
// beyond arrays whose size the type says. Of other blocks no predicate knows the size;
// there the sanitizer's report on a test's replay is the finding.
func (r runtimeErrors) call(f *function, e *ctree.Expr, tag string) {
	name := f.src(e.Kids[0])
	c, known := libraryCalls[name]
	args := e.Kids[1:]
	if !known || e.Closed || len(args) < c.size+1 || len(args) < len(c.pointers) || f.p.unit.Function(name) != nil {
		return
	}
	for _, i := range c.pointers {
		r.pointer(f, args[i], tag)
	}
	for _, i := range c.reach {
		n, ok := room(args[i])
		size := args[c.size]
		if _, number := size.Int(); !ok || !number || size.Const {
			continue
		}
		if s, v := f.value(size); s != nil {
			s.add(fmt.Sprintf("(unsigned long long)%s > %d", v, n), tag+tooMuch)
		}
	}
	n, ok := room(args[0])
	if _, array := room(args[1%len(args)]); !c.copies || !ok || n > longestText || array || args[1].Const {
		return
	}
	s, v := f.value(args[1])
	if s == nil {
		return
	}
	longer := []string{v + " != 0"}
	for i := range n {
		longer = append(longer, fmt.Sprintf("%s[%d]", v, i))
	}
	s.add(strings.Join(longer, " && "), tag+tooMuch)
}

// room is how many bytes an array has, where its type says so. One item is often the
// start of a longer array.
func room(e *ctree.Expr) (int64, bool) {
	a, ok := e.Type.Undecay().(*cc.ArrayType)
	if !ok || a.IsVLA() || a.Len() <= 1 {
		return 0, false
	}
	return a.Len() * a.Elem().Size(), true
}
