package csource

import (
	"regexp"

	"klabel/toolchain"
)

// gccNames are what the headers of a C library hold when gcc has preprocessed them,
// and clang refuses: types with names of gcc's, and the attribute __malloc__ with
// the function that frees. Each is a definition by which clang reads them.
var gccNames = []struct {
	use        *regexp.Regexp
	definition string
}{
	{regexp.MustCompile(`\b__malloc__[ \t]*\(`), "__malloc__(...)=__malloc__"},
	{regexp.MustCompile(`\b_Float32\b`), "_Float32=float"},
	{regexp.MustCompile(`\b_Float64\b`), "_Float64=double"},
	{regexp.MustCompile(`\b_Float32x\b`), "_Float32x=double"},
	{regexp.MustCompile(`\b_Float64x\b`), "_Float64x=long double"},
	{regexp.MustCompile(`\b_Float128\b`), "_Float128=__float128"},
}

// gccFlags are the definitions that a source needs of which clang has refused
// something, if it is what gcc alone reads. A source that brings headers along does
// not need them, nor would it take them all: who uses them tries.
func gccFlags(source []byte) (flags toolchain.Flags) {
	for _, n := range gccNames {
		if n.use.Match(source) {
			flags = append(flags, "-D"+n.definition)
		}
	}
	return flags
}
