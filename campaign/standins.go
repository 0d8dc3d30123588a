package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"klabel/csource"
	"klabel/drivers"
	"klabel/input"
	"klabel/linkage"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// standIns defines functions that a program with its own main calls and nobody
// defines: parts of a larger program, or an environment that a verification task
// leaves open. They return any value and change nothing, which narrows the program.
func standIns(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job, p *program, im *image) error {
	if len(im.entries) == 0 || len(p.modules) > 0 {
		return nil
	}
	defined := linkage.Defined(p.units)
	lacking := make([][]string, len(p.units))
	var all []string
	for i, u := range p.units {
		o := j.Driver
		o.Function, o.Defined = "", defined.Elsewhere(i)
		lacking[i] = drivers.Lacking(u, o)
		lacking[i] = slices.DeleteFunc(lacking[i], func(name string) bool {
			if !weak(u, name) {
				return false
			}
			im.entries[0].narrowed = append(im.entries[0].narrowed, name+", weak and not defined, being NULL")
			return true
		})
		all = append(all, lacking[i]...)
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	all = slices.Compact(all)
	missing, err := unlinked(ctx, clang, all, p.linkFlags)
	if err != nil || len(missing) == 0 {
		return err
	}
	for i, u := range p.units {
		if !slices.ContainsFunc(lacking[i], func(n string) bool { return slices.Contains(missing, n) }) {
			continue
		}
		o := j.Driver
		o.Function, o.Defined = "", defined.Elsewhere(i)
		for _, n := range all {
			if !slices.Contains(missing, n) {
				o.Defined[n] = true
			}
		}
		d, err := drivers.StandIns(u, o)
		if err != nil {
			return err
		}
		opts := csource.Options{Clang: clang, Flags: u.Flags, LabelMacros: j.LabelMacros,
			IncludeDirs: []string{rt.Include}}
		if im.units[i], err = compiling(ctx, clang, u, d, opts); err != nil {
			return err
		}
	}
	names := some(missing)
	im.missing = missing
	im.warnings = append(im.warnings, "not defined: "+names+"; stubs return symbolic values")
	im.entries[0].narrowed = append(im.entries[0].narrowed, "stubs of "+names)
	return nil
}

// weak reports whether a unit declares a name weak: where nobody defines it its address
// is NULL, and the program asks for that.
func weak(u *csource.Unit, name string) bool {
	declared := regexp.MustCompile(`(?m)^\s*#\s*pragma\s+weak\s+` + name + `\b|[^;{}#]*\b` + name + `\b[^;{}]*;`)
	for _, d := range declared.FindAll(u.Text, -1) {
		if weakWord.Match(d) {
			return true
		}
	}
	return false
}

var weakWord = regexp.MustCompile(`\b(__)?weak(__)?\b`)

var noReference = regexp.MustCompile("undefined (?:reference to|symbol:) [`']?([A-Za-z_$][A-Za-z0-9_$]*)")

// unlinked are those of the names that the linker finds in no library: headers of a
// library are not always there to tell, as in preprocessed text without line markers.
func unlinked(ctx context.Context, clang *toolchain.Clang, names []string, libraries toolchain.Flags) ([]string,
	error) {
	dir, err := os.MkdirTemp("", "klabel-link-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var text strings.Builder
	for i, n := range names {
		fmt.Fprintf(&text, "extern char klabel_%d[] __asm__(\"%s\");\n", i, n)
	}
	text.WriteString("char *klabel_all[] = {")
	for i := range names {
		fmt.Fprintf(&text, "klabel_%d, ", i)
	}
	text.WriteString("0};\nint main(void) { return 0; }\n")
	file := filepath.Join(dir, "names.c")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		return nil, err
	}
	flags := append([]string{"-O0", "-fPIE", "-pie"}, libraries...)
	err = clang.Executable(ctx, []string{file}, filepath.Join(dir, "names"), append(flags, "-lm", "-lpthread"))
	var te *toolchain.ToolError
	if !errors.As(err, &te) || te.ExitCode <= 0 {
		return nil, err
	}
	var missing []string
	for _, m := range noReference.FindAllStringSubmatch(te.Stderr, -1) {
		if slices.Contains(names, m[1]) && !slices.Contains(missing, m[1]) {
			missing = append(missing, m[1])
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	// Of a long list the linker, or who keeps its words, may have left out some.
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(missing, n) })
	if len(names) > 0 {
		more, err := unlinked(ctx, clang, names, libraries)
		if err != nil {
			return nil, err
		}
		missing = append(missing, more...)
	}
	slices.Sort(missing)
	return missing, nil
}

// stubsElsewhere are those of drivers, by name, that stand in other files.
func (im *image) stubsElsewhere(unit int) map[string]*input.Call {
	out := map[string]*input.Call{}
	for i, calls := range im.stubs {
		for _, c := range calls {
			if i != unit {
				out[c.Function] = c
			}
		}
	}
	return out
}
