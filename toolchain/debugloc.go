package toolchain

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Clang gives no source line to the copies that it makes of structures passed
// by value. KLEE turns those copies into calls of its own memcpy, and a call
// without a line between two functions that have debug information is what
// LLVM's verifier refuses: KLEE would abort before it starts. So calls without
// a line get line 0 of their function.

var (
	definition = regexp.MustCompile(`^define .*!dbg !([0-9]+) .*\{$`)
	bareCall   = regexp.MustCompile(`^ +(%[-a-zA-Z$._0-9]+ = )?(tail |musttail |notail )?call `)
	numbered   = regexp.MustCompile(`^!([0-9]+) = `)
)

// withLines returns LLVM assembly in which every call has a line, and whether
// that differs from the text.
func withLines(ll []byte) ([]byte, bool) {
	lines := bytes.SplitAfter(ll, []byte("\n"))
	scope, last := "", 0
	changed := map[int]string{} // line -> scope of its function
	for i, l := range lines {
		switch {
		case len(l) == 0:
		case l[0] == 'd':
			if m := definition.FindSubmatch(bytes.TrimRight(l, "\n")); m != nil {
				scope = string(m[1])
			}
		case l[0] == '}':
			scope = ""
		case l[0] == '!':
			if m := numbered.FindSubmatch(l); m != nil {
				n, _ := strconv.Atoi(string(m[1]))
				last = max(last, n)
			}
		case scope != "" && l[0] == ' ' && !bytes.Contains(l, []byte("!dbg !")) && bareCall.Match(l):
			changed[i] = scope
		}
	}
	if len(changed) == 0 {
		return ll, false
	}
	var out, tail bytes.Buffer
	location := map[string]int{}
	for i, l := range lines {
		s, ok := changed[i]
		if !ok {
			out.Write(l)
			continue
		}
		if location[s] == 0 {
			last++
			location[s] = last
			fmt.Fprintf(&tail, "!%d = !DILocation(line: 0, scope: !%s)\n", last, s)
		}
		fmt.Fprintf(&out, "%s, !dbg !%d\n", bytes.TrimRight(l, "\n"), location[s])
	}
	if b := out.Bytes(); len(b) > 0 && b[len(b)-1] != '\n' {
		out.WriteByte('\n')
	}
	out.Write(tail.Bytes())
	return out.Bytes(), true
}

// bitcode compiles C to bitcode by way of assembly whose calls all have lines.
func (c *Clang) bitcode(ctx context.Context, in, out string, flags []string) error {
	ll := strings.TrimSuffix(out, ".bc") + ".lines.ll"
	defer func() { _ = os.Remove(ll) }()
	if err := c.emit(ctx, "-S", in, ll, flags); err != nil {
		return err
	}
	text, err := os.ReadFile(ll)
	if err != nil {
		return fmt.Errorf("compiling %s: %w", in, err)
	}
	if text, changed := withLines(text); changed {
		if err := os.WriteFile(ll, text, 0o600); err != nil {
			return fmt.Errorf("compiling %s: %w", in, err)
		}
	}
	return c.emit(ctx, "-c", ll, out, nil)
}
