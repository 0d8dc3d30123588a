package klee

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// printer says where a function that prints has its stream and its format among its
// arguments, counted from 0; none: it has none.
type printer struct{ stream, format int }

const (
	none = -1
	last = -2
)

var printers = map[string]printer{
	"printf": {none, 0}, "vprintf": {none, 0}, "fprintf": {0, 1}, "vfprintf": {0, 1},
	"puts": {none, none}, "putchar": {none, none}, "putchar_unlocked": {none, none}, "perror": {none, none},
	"fputs": {last, none}, "fputc": {last, none}, "putc": {last, none}, "fwrite": {last, none},
	"fputs_unlocked": {last, none}, "fputc_unlocked": {last, none}, "putc_unlocked": {last, none},
	"fflush": {0, none},
}

var (
	defined  = regexp.MustCompile(`(?m)^define [^@\n]*@([\w.$]+)\(`)
	declared = regexp.MustCompile(`^declare [^@]*@([\w.$]+)\(`)
	call     = regexp.MustCompile(`^\s+(?:(%[\w.]+) = )?(?:tail )?call (i32|i64|void) (?:\([^@]*\) )?@(\w+)\((.*?)\)` +
		`(?: #\d+)?(?:, !.*)?$`)
	value    = regexp.MustCompile(`%[\w.]+`)
	global   = regexp.MustCompile(`@[\w.]+`)
	stream   = regexp.MustCompile(`^\s+(%[\w.]+) = load .*@(?:stdout|stderr)\b`)
	constant = regexp.MustCompile(`(?m)^(@[\w.]+) = .*constant \[\d+ x i8\] (?:c"(.*)"|zeroinitializer)`)
	writes   = regexp.MustCompile(`%[^a-zA-Z%]*[hlLqjzt]*n`) // %n gives the program a number
	glibc    = regexp.MustCompile(`@__isoc(?:99|23)_(\w+)`)
)

// ForUclibc edits LLVM assembly, all of a program's, so that KLEE gets along better
// with it under uclibc. What headers of glibc call by names of their own (scanf is
// __isoc99_scanf) has its name in C again. What the program prints is left out where
// nobody looks at what came of it: KLEE ends a path that prints something symbolic,
// or goes on with one value of it. A function that the program itself defines is left alone.
func ForUclibc(program [][]byte) [][]byte {
	own := map[string]bool{}
	for _, text := range program {
		for _, m := range defined.FindAllSubmatch(text, -1) {
			own[string(m[1])] = true
		}
	}
	var out [][]byte
	for _, text := range program {
		out = append(out, quiet(inC(text, own), own))
	}
	return out
}

// inC calls functions by their names in C.
func inC(text []byte, own map[string]bool) []byte {
	text = glibc.ReplaceAllFunc(text, func(name []byte) []byte {
		in := glibc.FindSubmatch(name)[1]
		if own[string(in)] || own[string(name[1:])] {
			return name
		}
		return append([]byte("@"), in...)
	})
	known := map[string]bool{}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if m := declared.FindStringSubmatch(line); m != nil {
			if known[m[1]] {
				continue // it was called by both names
			}
			known[m[1]] = true
		}
		lines = append(lines, line)
	}
	return []byte(strings.Join(lines, ""))
}

// quiet leaves out what prints.
func quiet(text []byte, own map[string]bool) []byte {
	formats := map[string]string{}
	for _, m := range constant.FindAllSubmatch(text, -1) {
		formats[string(m[1])] = string(m[2])
	}
	var out bytes.Buffer
	var function []string
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "define "), len(function) > 0:
			function = append(function, line)
			if strings.HasPrefix(line, "}") {
				quietFunction(function, formats, own, &out)
				function = nil
			}
		default:
			out.WriteString(line)
		}
	}
	out.WriteString(strings.Join(function, ""))
	return out.Bytes()
}

func quietFunction(lines []string, formats map[string]string, own map[string]bool, out *bytes.Buffer) {
	mentions, streams := map[string]int{}, map[string]bool{}
	for _, line := range lines {
		for _, v := range value.FindAllString(line, -1) {
			mentions[v]++
		}
		if m := stream.FindStringSubmatch(line); m != nil {
			streams[m[1]] = true
		}
	}
	for _, line := range lines {
		m := call.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil || own[m[3]] || mentions[m[1]] > 1 || !prints(m[3], m[4], formats, streams) {
			out.WriteString(line)
		} else if m[1] != "" {
			out.WriteString("  " + m[1] + " = add " + m[2] + " 0, 0\n") // values are numbered without a gap
		}
	}
}

// prints reports whether a call does no more than print.
func prints(name, arguments string, formats map[string]string, streams map[string]bool) bool {
	p, known := printers[name]
	if !known {
		return false
	}
	args := split(arguments)
	if p.stream == last {
		p.stream = len(args) - 1
	}
	if p.stream >= len(args) || p.format >= len(args) {
		return false
	}
	if p.stream != none {
		words := strings.Fields(args[p.stream])
		if len(words) == 0 || !streams[words[len(words)-1]] {
			return false
		}
	}
	if p.format == none {
		return true
	}
	names := global.FindAllString(args[p.format], -1)
	return len(names) == 1 && slices.ContainsFunc(names, func(n string) bool {
		f, constant := formats[n]
		return constant && !writes.MatchString(f)
	})
}

// split takes arguments apart at their commas.
func split(arguments string) (out []string) {
	depth, from := 0, 0
	for i, r := range arguments {
		switch r {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',':
			if depth == 0 {
				out, from = append(out, arguments[from:i]), i+1
			}
		}
	}
	return append(out, arguments[from:])
}
