package ctests

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"klabel/input"
	"klabel/toolchain"
)

// recording is a test that prints what it would check: before the call, what
// the call may change, and after it all values.
func (t *written) recording(o Options) string {
	var s strings.Builder
	fmt.Fprintf(&s, "static void %s(void)\n{\n%s\n", t.function(), t.before)
	show := func(when string, i int, c check) {
		switch c.typ.Kind {
		case input.Float:
			fmt.Fprintf(&s, "    printf(\"%%s %d %%.17g\\n\", %q, (double)%s);\n", i, when, c.expr)
		case input.Pointer:
			fmt.Fprintf(&s, "    printf(\"%%s %d %%d\\n\", %q, %s != NULL);\n", i, when, c.expr)
		default:
			fmt.Fprintf(&s, "    printf(\"%%s %d %%lld\\n\", %q, (long long)%s);\n", i, when, c.expr)
		}
	}
	for i, c := range t.checks {
		if !strings.HasPrefix(c.expr, "result") {
			show("before", i, c)
		}
	}
	if t.result != nil && observable(t.result) {
		fmt.Fprintf(&s, "    %s = %s;\n    (void)&result;\n", t.result.Declare("result"), t.call)
	} else {
		fmt.Fprintf(&s, "    %s;\n", t.call)
	}
	for i, c := range t.checks {
		show("after", i, c)
	}
	s.WriteString("}\n\n")
	return s.String()
}

// observe runs every test and notes what is checked: results, and what a call
// has changed. A test that does not end normally is written without checks.
func observe(dir string, tests []*written, o Options) error {
	path := filepath.Join(dir, ".record.c")
	if err := put(path, runner(tests, o, true)); err != nil {
		return err
	}
	defer func() { _ = os.Remove(path) }()
	for _, t := range tests {
		first, err := o.Observe(path, []string{t.function()})
		if err != nil {
			if _, broken := err.(*toolchain.ToolError); broken {
				continue
			}
			return err
		}
		again, err := o.Observe(path, []string{t.function()})
		if err != nil {
			continue
		}
		t.note(first, again)
	}
	return nil
}

// note reads what two runs of a test printed; what differs between them (time,
// addresses, uninitialised memory) is not checked.
func (t *written) note(first, again []byte) {
	a, b := readings(first), readings(again)
	for i, c := range t.checks {
		after, ok := a.after[i]
		if !ok || b.after[i] != after || a.before[i] == after && !strings.HasPrefix(c.expr, "result") {
			continue
		}
		switch c.typ.Kind {
		case input.Float:
			v, err := strconv.ParseFloat(after, 64)
			if err != nil {
				continue
			}
			s := floatNumber(v)
			if c.typ.Size == 4 && !strings.Contains(s, "N") {
				s += "f"
			}
			t.expect[i] = s
		case input.Pointer:
			t.expect[i] = "NULL"
			if after != "0" {
				t.expect[i] = "not NULL"
			}
		default:
			v, err := strconv.ParseInt(after, 10, 64)
			if err != nil {
				continue
			}
			var buf [8]byte
			for k := range buf {
				buf[k] = byte(v >> (8 * k))
			}
			t.expect[i] = integer(buf[:min(int(c.typ.Size), 8)], c.typ)
		}
	}
}

type reading struct{ before, after map[int]string }

func readings(out []byte) reading {
	r := reading{map[int]string{}, map[int]string{}}
	sc := bufio.NewScanner(bytes.NewReader(out))
	for sc.Scan() {
		f := strings.Fields(sc.Text())
		if len(f) != 3 {
			continue
		}
		i, err := strconv.Atoi(f[1])
		if err != nil {
			continue
		}
		switch f[0] {
		case "before":
			r.before[i] = f[2]
		case "after":
			r.after[i] = f[2]
		}
	}
	return r
}

// Recorder compiles a recording runner once and runs it: what Options.Observe
// wants. flags are those of the source. The returned function removes what was
// built.
func Recorder(ctx context.Context, clang *toolchain.Clang, flags []string) (observe func(string, []string) ([]byte, error), clean func(), err error) {
	dir, err := os.MkdirTemp("", "klabel-record-")
	if err != nil {
		return nil, nil, err
	}
	built := ""
	observe = func(runner string, args []string) ([]byte, error) {
		if built == "" {
			out := filepath.Join(dir, "record")
			all := append([]string{"-w", "-O0", "-fwrapv", "-I" + filepath.Dir(runner)}, flags...)
			if err := clang.Executable(ctx, []string{runner}, out, append(all, "-lm")); err != nil {
				return nil, fmt.Errorf("the C tests do not compile: %w", compileFailure(err))
			}
			built = out
		}
		var out bytes.Buffer
		_, err := toolchain.Run(ctx, toolchain.Command{Argv: append([]string{built}, args...), Dir: dir, Stdout: &out, Timeout: 5 * time.Second})
		return out.Bytes(), err
	}
	return observe, func() { _ = os.RemoveAll(dir) }, nil
}

// compileFailure keeps a compiler's failure apart from that of a test's run.
func compileFailure(err error) error {
	var te *toolchain.ToolError
	if errors.As(err, &te) {
		return fmt.Errorf("%s", toolchain.TellingLine(te.Stderr))
	}
	return fmt.Errorf("%v", err)
}
