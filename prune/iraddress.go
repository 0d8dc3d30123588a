package prune

import (
	"fmt"
	"regexp"
	"strings"
)

// The optimiser takes it that pointers into two objects are never the same. The end of
// one may be where another begins, texts may share their memory, and freed memory is
// given again. So a comparison of two pointers, neither of them written as NULL, is true
// where the optimiser says so, and otherwise may be, unless their distance is a number
// that it knows (they lead into one object) or one of them is NULL.

var (
	reCompare      = regexp.MustCompile(`^  (%\S+) = icmp (eq|ne) (.*)$`)
	reConstCompare = regexp.MustCompile(`([(]?)i1 icmp (?:eq|ne) \(`)
)

// compares writes an instruction that compares pointers, or branches by a constant
// expression that does; false if it does not.
func (w *irWriter) compares(l string) bool {
	if m := reConstCompare.FindStringSubmatchIndex(l); m != nil {
		inside, rest := balanced(l[m[1]:])
		first, second, _ := splitType(inside)
		typ, a := w.pointer(first)
		_, b := w.pointer(second)
		switch {
		case strings.Contains(first, "ptrtoint ") && strings.Contains(second, "ptrtoint "):
			w.refused = "addresses are compared as numbers"
			return false
		case typ == "" || a == "null" || b == "null":
			return false
		case m[2] != m[3] || strings.Contains(l, " phi "):
			w.refused = "a constant depends on where objects stand"
			return false
		}
		w.count++
		r := fmt.Sprintf("%%klabel.%d.c", w.count)
		w.compare(r, l[m[3]+len("i1 icmp "):][:2], typ, a, b)
		l = l[:m[3]] + "i1 " + r + rest
		if !w.compares(l) {
			w.emit(l)
		}
		return true
	}
	m := reCompare.FindStringSubmatch(l)
	if m == nil {
		return false
	}
	if strings.Count(m[3], "ptrtoint ") > 1 {
		w.refused = "addresses are compared as numbers"
		return false
	}
	first, b, _ := splitType(m[3])
	b, _, _ = splitType(b) // what follows are notes for debuggers
	typ, a := w.pointer(first)
	if typ == "" || a == "null" || b == "null" {
		return false
	}
	w.compare(m[1], m[2], typ, a, b)
	return true
}

// compare writes a comparison of two pointers.
func (w *irWriter) compare(to, op, typ, a, b string) {
	w.count++
	w.meets = true
	r := fmt.Sprintf("%%klabel.%d", w.count)
	for _, l := range []string{
		".a = ptrtoint " + typ + " " + a + " to i64",
		".b = ptrtoint " + typ + " " + b + " to i64",
		".d = sub i64 R.a, R.b",
		".k = call i1 @llvm.is.constant.i64(i64 R.d)",
		".m = call i1 @klabel_meet(i64 R.d)",
		".n = icmp ne " + typ + " " + a + ", null",
		".o = icmp ne " + typ + " " + b + ", null",
		".u = xor i1 R.k, true",
		".v = and i1 R.m, R.u",
		".w = and i1 R.n, R.o",
		".x = and i1 R.v, R.w",
		".e = icmp eq " + typ + " " + a + ", " + b,
	} {
		w.emit("  " + r + strings.ReplaceAll(l, "R.", r+"."))
	}
	if op == "eq" {
		w.emit(fmt.Sprintf("  %s = or i1 %s.e, %s.x", to, r, r))
		return
	}
	w.emit(fmt.Sprintf("  %s.s = or i1 %s.e, %s.x", r, r, r))
	w.emit(fmt.Sprintf("  %s = xor i1 %s.s, true", to, r))
}

// meetDecls declares what compare calls.
func (w *irWriter) meetDecls() string {
	none := "readnone"
	if w.major >= 16 {
		none = "memory(none)"
	}
	s := fmt.Sprintf("declare i1 @klabel_meet(i64) %s nounwind willreturn\n", none)
	if !w.declared["llvm.is.constant.i64"] {
		s += "declare i1 @llvm.is.constant.i64(i64)\n"
	}
	return s
}

// pointer splits an operand with its type; typ is "" if it is no pointer.
func (w *irWriter) pointer(text string) (typ, operand string) {
	if operand, ok := strings.CutPrefix(text, "ptr "); ok {
		return "ptr", operand
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{', '<', '(':
			depth++
		case ']', '}', '>', ')':
			depth--
		case ' ':
			if depth == 0 && i > 0 && text[i-1] == '*' && !strings.HasPrefix(text[i+1:], "(") {
				return text[:i], text[i+1:]
			}
		}
	}
	return "", ""
}

// balanced is a text up to the bracket that closes it, and what follows.
func balanced(s string) (inside, rest string) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return s[:i], s[i+1:]
			}
		}
	}
	return s, ""
}
