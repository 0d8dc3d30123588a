package campaign

import (
	"bytes"
	"context"
	"slices"

	"klabel/drivers"
	"klabel/linkage"
	"klabel/toolchain"
)

// A program whose main takes no input runs in one way only: its functions called by
// a test of its own, a benchmark that fills its arrays itself. What its labels need is
// calls of the functions, and not the one run that there is.

// inputs are the names by which C asks for what its surroundings decide, beside
// standard input and files. Clocks, random numbers and devices (volatile variables) are
// not among them: a run of main has them as they are.
var inputs = []string{"getenv", "secure_getenv", "environ", "recv", "recvfrom", "accept", "socket", "opendir", "popen",
	"pipe", "mmap", "fork", "signal", "sigaction", "dlopen", "system"}

// symbolic are parts of names by which a source asks an engine for input.
var symbolic = [][]byte{[]byte("klee_"), []byte("__VERIFIER_"), []byte("sc_make_")}

// oneWay reports whether nothing that the program is given decides what it does: it
// looks at no arguments, reads nothing, and calls nothing that is defined elsewhere.
func (p *program) oneWay(ctx context.Context, clang *toolchain.Clang, j *Job) (bool, error) {
	main := slices.IndexFunc(p.units, linkage.DefinesMain)
	if main < 0 || len(p.modules)+len(j.ProgramArgs)+len(j.Driver.SymArgs)+len(j.Driver.Stubs)+len(j.Existing) > 0 ||
		slices.ContainsFunc(p.units[main+1:], linkage.DefinesMain) || p.units[main].UsesArguments() ||
		len(linkage.Used(p.units, slices.Concat(linkage.Readers, linkage.Openers, inputs))) > 0 {
		return false, nil
	}
	defined := linkage.Defined(p.units)
	var lacking []string
	for i, u := range p.units {
		asks := slices.ContainsFunc(symbolic, func(s []byte) bool { return bytes.Contains(u.Text, s) })
		if asks || p.sources[i].Stubs {
			return false, nil
		}
		o := j.Driver
		o.Function, o.Defined = "", defined.Elsewhere(i)
		lacking = append(lacking, drivers.Lacking(u, o)...)
	}
	if len(lacking) == 0 {
		return true, nil
	}
	slices.Sort(lacking)
	missing, err := unlinked(ctx, clang, slices.Compact(lacking), p.linkFlags)
	return len(missing) == 0, err
}

// mains are the files that define main, but for those of stubs.
func (p *program) mains() (out []string) {
	for i, u := range p.units {
		if linkage.DefinesMain(u) && !p.sources[i].Stubs {
			out = append(out, u.Path)
		}
	}
	return out
}
