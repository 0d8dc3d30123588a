package campaign

import (
	"context"
	"fmt"
	"path/filepath"

	"klabel/ctests"
	"klabel/fault"
	"klabel/opinion"
	"klabel/report"
	"klabel/toolchain"
)

// Check has compilers that measure MC/DC themselves look at the C tests of an output
// directory, and says of every decision what both measures are.
func Check(ctx context.Context, dir string, tools *toolchain.Tools, obs Observer) (report.Checked, error) {
	r, err := Result(dir)
	if err != nil {
		return report.Checked{}, err
	}
	if len(r.Decisions) == 0 {
		return report.Checked{}, fault.WithHint(fmt.Errorf("%s has no decisions", dir),
			"klabel run with --criteria MCDC or UMCDC")
	}
	folders := ctests.Runners(filepath.Join(layout{dir}.tests(), "c"))
	if len(folders) == 0 {
		return report.Checked{}, fault.WithHint(fmt.Errorf("%s has no C tests", dir), "run without --style none")
	}
	out, err := opinion.Compare(ctx, r, folders, tools, obs.Stage)
	return out, describe(err)
}
