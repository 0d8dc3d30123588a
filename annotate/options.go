package annotate

import (
	"sort"
	"strings"

	"github.com/agnivade/levenshtein"

	"klabel/label"
	"klabel/toolchain"
)

// Options say what to label and how. Zero values are usable; Criteria must
// name something.
type Options struct {
	Criteria []string // names of the table; an element may hold several, with commas

	Clang       *toolchain.Clang
	Flags       []string // the user's compiler flags
	LabelMacros []string // further names of labels written by hand
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

	First label.ID // first number; 0: 1
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

// UsageError is a wish that cannot be granted as it is written.
type UsageError struct{ Message, Hint string }

func (e *UsageError) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "\nhint: " + e.Hint
}

// nearest are the names that look most like one.
func nearest(name string, all []string) []string {
	type near struct {
		name string
		dist int
	}
	var ns []near
	for _, a := range all {
		ns = append(ns, near{a, levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(a))})
	}
	sort.SliceStable(ns, func(i, j int) bool { return ns[i].dist < ns[j].dist })
	var out []string
	for i := 0; i < len(ns) && i < 3; i++ {
		out = append(out, ns[i].name)
	}
	return out
}
