package campaign

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// Drivers and their headers have assembler statements for the machine that they are made for, which the assembler
// of this one refuses. In the image each of those ends the run that comes to it, as an error, and what
// is beside it is tested. Nothing is claimed then of what no run meets. Limit: assembler outside of
// functions, and statements that clang itself refuses, still end a campaign.

// reports declares what ends such a run.
const reports = "void klee_report_error(const char *, int, const char *, const char *) __attribute__((noreturn)); "

// refusedAt matches where the assembler refuses something.
var refusedAt = regexp.MustCompile(`(?m)^(.*):(\d+):\d+: error: `)

// withoutForeign is a unit with ends of runs in place of what the assembler refuses, and where that stands.
func withoutForeign(ctx context.Context, clang *toolchain.Clang, u *csource.Unit, opts csource.Options) (
	*csource.Unit, []string, error) {
	var all []csource.Span
	for _, f := range u.Functions() {
		if !bytes.Contains(u.Text[f.Body.Start:f.Body.End], []byte("asm")) {
			continue
		}
		u.Walk(f.Def, func(n cc.Node) bool {
			if x, ok := n.(*cc.AsmStatement); ok {
				if s, ok := u.Span(x); ok {
					all = append(all, s)
				}
				return false
			}
			return true
		})
	}
	if len(all) == 0 {
		return u, nil, nil
	}
	refused := map[string][]int{}
	for _, m := range refusedAt.FindAllStringSubmatch(judgeText(ctx, clang.Assembles, u, u.Text), -1) {
		line, _ := strconv.Atoi(m[2])
		refused[filepath.Base(m[1])] = append(refused[filepath.Base(m[1])], line)
	}
	edits := u.Edits()
	var where []string
	for _, s := range all {
		from, to := u.Origin(s.Start), u.Origin(s.End-1)
		if slices.ContainsFunc(refused[filepath.Base(from.File)], func(line int) bool {
			return from.Line <= line && line <= to.Line
		}) {
			edits.Replace(s, fmt.Sprintf("{ "+reports+"klee_report_error(%s, %d, \"machine code of another machine\", "+
				"\"machine.err\"); }", csource.QuoteFile(from.File), from.Line))
			where = append(where, fmt.Sprintf("%s:%d", from.File, from.Line))
		}
	}
	if len(where) == 0 {
		return u, nil, nil
	}
	out, err := csource.Parse(ctx, u.Path, edits.Apply(), opts)
	return out, where, err
}

// endForeign has such statements end runs, and notes where; that narrows what entries can meet: who comes to which is
// not asked.
func (im *image) endForeign(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job) error {
	im.units = slices.Clone(im.units)
	var where []string
	for i, u := range im.units {
		out, at, err := withoutForeign(ctx, clang, u, csource.Options{Clang: clang, Flags: u.Flags,
			LabelMacros: j.LabelMacros, IncludeDirs: []string{rt.Include}})
		if err != nil {
			return err
		}
		im.units[i] = out
		where = append(where, at...)
	}
	if len(where) == 0 {
		return nil
	}
	slices.Sort(where)
	where = slices.Compact(where)
	im.warnings = append(im.warnings, "machine code that this machine does not have ends a run: "+some(where))
	for i := range im.entries {
		e := &im.entries[i]
		e.narrowed = append(slices.Clone(e.narrowed), "machine code of another machine: "+some(where))
	}
	return nil
}
