package campaign

import (
	"context"

	"klabel/annotate"
	"klabel/csource"
	"klabel/drivers"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// Annotate labels the files of a job and writes them. Files fail one by one:
// with a *annotate.FilesError the result holds the others.
func Annotate(ctx context.Context, j annotate.Job, tools *toolchain.Tools) (*annotate.Result, error) {
	clang, err := tools.RequireClang()
	if err != nil {
		return nil, err
	}
	defer annotate.CollectLate()()
	j.Clang = clang
	return annotate.Run(ctx, j)
}

// DriverResult is the C that calls a function, and the whole unit with it.
type DriverResult struct {
	Text     []byte
	Warnings []string
}

// Driver writes the driver of the job's function; whole asks for the unit with
// it, a program.
func Driver(ctx context.Context, j Job, whole bool, tools *toolchain.Tools) (DriverResult, error) {
	var none DriverResult
	u, err := readUnit(ctx, j, tools)
	if err != nil {
		return none, err
	}
	d, err := drivers.Generate(u, j.Driver)
	if err != nil {
		return none, err
	}
	if whole {
		return DriverResult{d.Apply(u), d.Warnings}, nil
	}
	return DriverResult{[]byte(d.Text), d.Warnings}, nil
}

// readUnit reads the first file of a job as it is.
func readUnit(ctx context.Context, j Job, tools *toolchain.Tools) (*csource.Unit, error) {
	clang, err := tools.RequireClang()
	if err != nil {
		return nil, err
	}
	rt, done, err := runtime_c.Shared()
	if err != nil {
		return nil, err
	}
	defer done()
	s := j.Sources[0]
	return csource.Load(ctx, s.Path, csource.Options{
		Clang: clang, Flags: append(append([]string{}, j.Flags...), s.Flags...), LabelMacros: j.LabelMacros,
		IncludeDirs: []string{rt.Include},
	})
}
