package annotate

import (
	"klabel/label"
	"klabel/toolchain"
)

// Options say what to label and how. Zero values are usable; Criteria must
// name something.
type Options struct {
	Criteria []string // names of the table; an element may hold several, with commas

	Clang       *toolchain.Clang
	Flags       toolchain.Flags // the user's compiler flags, with which Run reads files
	LabelMacros []string        // further names of labels written by hand
	IncludeDirs []string

	Functions     []string // globs; only these
	SkipFunctions []string // globs; not these
	FileGlobs     []string // globs of source files (headers too) whose code is labelled
	Lines         []string // FROM-TO or FILE:FROM-TO, several with commas

	MCCLimit int // atoms up to which MCC and minimal DNF are computed; 0: 8
	IDPDepth int // how far IDP follows pointers; < 0 or 0: see idpDepth
	Simplify bool

	Patch     string // file with a unified diff, for PATCH
	Revisions string // git revision range, for PATCH
	changes   changes

	Oracles []string // functions of the user's that return 0 when something is wrong, for FAIL

	// Globals are variables with external linkage that no other unit speaks of
	// (OwnGlobals), for dataflow criteria.
	Globals map[string]bool
	// Shared are those of them that several units speak of, after all (SharedGlobals).
	Shared map[string]*Across

	First label.ID          // first number; 0: 1
	Taken map[label.ID]bool // numbers that labels of other units have
}

func (o *Options) setDefaults() {
	if o.MCCLimit <= 0 {
		o.MCCLimit = 8
	}
	if o.First == 0 {
		o.First = 1
	}
}

// idpDepth is how far IDP follows pointers. What a pointer leads to is only
// certain to be readable at the entry of a function that a driver calls, so by
// default pointers are followed one step in functions that the user names, and
// not at all elsewhere.
func (o *Options) idpDepth() int {
	switch {
	case o.IDPDepth > 0:
		return o.IDPDepth
	case o.IDPDepth < 0 || len(o.Functions) == 0:
		return 0
	}
	return 1
}
