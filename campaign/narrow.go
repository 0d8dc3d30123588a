package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"klabel/fault"
	"klabel/toolchain"
)

// Programs of other machines than klabel's own: those of 32 bits on x86-64 (-m32) are
// explored and replayed as others are, by the engines that can; all others are refused.

// narrow reports whether the program is one of 32 bits, as clang says of its first file.
func (c *session) narrow(ctx context.Context) (bool, error) {
	for _, s := range c.job.Sources {
		if isBitcode(s.Path) {
			continue
		}
		t, err := c.clang.Target(ctx, slices.Concat(c.job.Flags, s.Flags))
		var refused *toolchain.ToolError
		if errors.As(err, &refused) && ctx.Err() == nil {
			return false, nil // reading the file says what is wrong
		}
		return t.Narrow(), err
	}
	return false, nil
}

// enginesFor32 is the table of engines with those not ready that cannot run programs of
// 32 bits.
func enginesFor32(table []engineRow) []engineRow {
	out := slices.Clone(table)
	for i, r := range table {
		switch {
		case r.never32 != "":
			out[i].ready = func(*toolchain.Tools) error {
				return fault.WithHint(errors.New(r.never32), "--engine native runs programs of 32 bits")
			}
		case r.form == fuzzed:
			out[i].ready = func(t *toolchain.Tools) error {
				clang, err := t.ClangForFuzzing()
				if err == nil {
					err = clang.Fuzzes32(context.Background())
				}
				return err
			}
		}
	}
	return out
}

// checkTargets refuses a program that cannot be run here.
func (p *program) checkTargets(ctx context.Context, clang *toolchain.Clang) error {
	for i, u := range p.units {
		switch first := p.units[0]; {
		case !u.Target.Runs():
			return fault.WithHint(fmt.Errorf("%s: it is compiled for another machine (%s)", u.Path, u.Target),
				"klabel runs programs of this machine, and on x86-64 those of -m32")
		case i > 0 && u.Target != first.Target && !p.sources[i].Stubs && !p.sources[0].Stubs:
			return fmt.Errorf("%s has pointers of %d bits, %s of %d: they make no program", first.Path,
				first.Target.Bits, u.Path, u.Target.Bits)
		}
	}
	if len(p.units) > 0 && p.units[0].Target != toolchain.Host {
		return clang.Runs32(ctx)
	}
	return nil
}
