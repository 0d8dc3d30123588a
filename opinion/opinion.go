// Package opinion holds compilers' own measures of MC/DC beside klabel's: it has the C tests
// of a campaign built by a clang, and by a gcc where one can, that count conditions
// themselves, and says of every decision what both say, and what explains a difference.
//
// It exists because nobody should have to believe a tool's own coverage. It promises that
// a difference is explained by name or shown as one; what is compared is what the compiler
// measures, unique cause (clang) or masking (gcc), whatever the campaign's criterion.
// Limits: compilers do not look at decisions of one condition (clang), at decisions within
// conditions, or at more conditions than they have room for; gcc knows lines, no columns.
package opinion

import (
	"context"
	"path/filepath"
	"time"

	"klabel/label"
	"klabel/report"
	"klabel/toolchain"
)

// checkTimeout bounds one run of a program of C tests.
const checkTimeout = 2 * time.Minute

// place of a decision in the user's source.
type spot struct {
	file      string
	line, col int
}

// Compare asks the compilers about the C tests in these folders. Where there is a gcc that
// measures it is a second opinion; where there is no such clang, the only one. Without
// either the error says what to install. stage is told what is done.
func Compare(ctx context.Context, r *report.Result, folders []string, tools *toolchain.Tools,
	stage func(string)) (report.Checked, error) {
	var out report.Checked
	m, missing := tools.RequireMCDC(ctx)
	gcc, err := tools.MCDCGCC(ctx)
	if err != nil {
		return out, err
	}
	if missing != nil && gcc == nil {
		return out, missing
	}
	k := &checker{inC: map[string]string{}, macros: map[string]bool{}, sources: r.Sources}
	for _, t := range r.Suite {
		if t.Kept && t.C != "" {
			k.inC[t.Name] = filepath.Dir(t.C)
		}
	}
	if missing == nil {
		if out, err = k.checkClang(ctx, m, folders, r, stage); err != nil || gcc == nil {
			return out, err
		}
	}
	stage("compiling and running with gcc " + gcc.Version)
	second, err := checkGCC(ctx, gcc, folders, k, r)
	if err != nil {
		return out, err
	}
	if missing != nil {
		return second, nil
	}
	out.Second = &second
	return out, nil
}

// checker holds a compiler's measure beside klabel's.
type checker struct {
	theirs    map[spot]toolchain.MCDCRecord
	inC       map[string]string    // tests that the C tests have, and the folder of their program
	functions map[string]bool      // of the programs that were measured
	macros    map[string]bool      // functions with decisions in macros
	nests     []report.DecisionRow // decisions of which a condition holds another one
	sources   []report.Source
	major     int
}

func (k *checker) spot(p label.Position) spot {
	file := p.File
	for _, s := range k.sources {
		if s.Name == p.File {
			file = s.Path
		}
	}
	return spot{file, p.Line, p.Column}
}
