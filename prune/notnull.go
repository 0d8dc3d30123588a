package prune

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"klabel/csource"
)

// A run that goes on after an access through a pointer has one that is not NULL:
// nothing is mapped at the lowest addresses. The optimiser is told so behind each
// access whose distance from the pointer is known to be small (a member, an item
// with a constant index), and of none before it.

// lowest is how far from NULL an access surely ends the run.
const lowest = 4096

var (
	reElement = regexp.MustCompile(`^  (%[-\w.$"]+) = getelementptr (.*)$`)
	reCast    = regexp.MustCompile(`^  (%[-\w.$"]+) = bitcast \S.*\* (%[-\w.$"]+) to .*\*$`)
	reAccess  = regexp.MustCompile(`^  (?:(%[-\w.$"]+) = load|store) (?:atomic )?(?:volatile )?(.*)$`)
	rePointer = regexp.MustCompile(`^(\S.*\*|ptr) (%[-\w.$"]+)$`)
)

// place is what a register points to: at most so many bytes from a pointer.
type place struct {
	base, typ string
	most      int64
}

// at is where a pointer leads, as an instruction writes it with its type; the zero
// place if nothing is known, and for local variables.
func (w *irWriter) at(pointer string) place {
	m := rePointer.FindStringSubmatch(pointer)
	if m == nil || w.locals[m[2]] || strings.Contains(m[1], "addrspace") {
		return place{}
	}
	if p, ok := w.places[m[2]]; ok {
		return p
	}
	return place{base: m[2], typ: m[1]}
}

// follow notes what an instruction says of places, and returns the pointer that is
// not NULL behind it.
func (w *irWriter) follow(l string) place {
	if m := match(reElement, l, " = getelementptr "); m != nil {
		w.places[m[1]] = w.element(strings.TrimPrefix(m[2], "inbounds "))
		return place{}
	}
	if m := match(reCast, l, " = bitcast "); m != nil {
		typ, _, _ := strings.Cut(strings.SplitN(l, " = bitcast ", 2)[1], " %")
		w.places[m[1]] = w.at(typ + " " + m[2])
		return place{}
	}
	m := match(reAccess, l, " = load ")
	if strings.HasPrefix(l, "  store ") {
		m = reAccess.FindStringSubmatch(l)
	}
	if m == nil || m[1] != "" && !w.used[m[1]] {
		return place{}
	}
	_, rest, _ := splitType(m[2]) // the type that is loaded, or what is stored
	pointer, _, _ := splitType(rest)
	if p := w.at(pointer); p.most < lowest {
		return p
	}
	return place{}
}

// element is where a getelementptr leads.
func (w *irWriter) element(text string) place {
	typ, rest, _ := splitType(text)
	pointer, rest, _ := splitType(rest)
	at := w.at(pointer)
	index, rest, two := splitType(rest)
	size, _ := w.layout(typ, 0)
	n := number(index)
	if two {
		if n != 0 {
			return place{}
		}
		var more bool
		if index, _, more = splitType(rest); more {
			return place{}
		}
		n = number(index)
		if strings.HasPrefix(typ, "[") {
			_, elem, _ := strings.Cut(typ[1:len(typ)-1], " x ")
			size, _ = w.layout(elem, 0)
		} else {
			n = min(n, 1) // a member, somewhere within
		}
	}
	if at.base == "" || size < 0 || n < 0 || n > lowest {
		return place{}
	}
	at.most += size * n
	return at
}

// number is a constant index, -1 for any other.
func number(index string) int64 {
	_, text, _ := strings.Cut(index, " ")
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return -1
	}
	return n
}

// notNull tells the optimiser that a pointer is not NULL from here on.
func (w *irWriter) notNull(p place) {
	w.count++
	w.assumes = true
	w.emit(fmt.Sprintf("  %%klabel.%d.n = icmp ne %s %s, null", w.count, p.typ, p.base))
	w.emit(fmt.Sprintf("  call void @llvm.assume(i1 %%klabel.%d.n)", w.count))
}

// registers are those that a line names: %, and letters, digits or what else a name may have.
func registers(l string) (out []string) {
	for {
		i := strings.IndexByte(l, '%')
		if i < 0 {
			return out
		}
		l = l[i:]
		end := 1
		for end < len(l) && (isWordByte(l[end]) || strings.IndexByte(`-.$"`, l[end]) >= 0) {
			end++
		}
		if end > 1 {
			out = append(out, l[:end])
		}
		l = l[end:]
	}
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// used are the registers of a function that a store, a call or a branch depends on.
// Machine code need not have the others: what is only read and dropped is not read.
func used(lines []string) map[string]bool {
	out := map[string]bool{}
	var todo []string
	defined := map[string]string{}
	for _, l := range lines {
		if l == "}" {
			break
		}
		name, text, ok := strings.Cut(strings.TrimSpace(l), " = ")
		if ok && strings.HasPrefix(name, "%") {
			defined[name] = text
		}
		if !ok || strings.Contains(text, "call ") || strings.Contains(text, "load volatile ") {
			todo = append(todo, registers(l)...)
		}
	}
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !out[r] {
			out[r] = true
			todo = append(todo, registers(defined[r])...)
		}
	}
	return out
}

// behaved reports whether each predicate of a unit can be evaluated where its guard
// holds. The run goes on behind one that cannot: what it accessed says nothing.
func (p *program) behaved(u *csource.Unit) bool {
	return !slices.ContainsFunc(p.labels, func(l *labelSite) bool {
		return l.unit == u && l.mayFail && !u.Guarded(l.PredExpr)
	})
}
