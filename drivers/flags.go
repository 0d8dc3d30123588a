package drivers

import (
	"strings"

	"github.com/spf13/pflag"
)

// ParseOptions reads options written as on the command line, which is how the
// comments of test programs hold them, here and in ctests. Single quotes keep
// spaces.
func ParseOptions(text string) (o Options, err error) {
	fs := pflag.NewFlagSet("driver", pflag.ContinueOnError)
	fs.StringArrayVar(&o.Globals, "global", nil, "")
	fs.StringArrayVar(&o.Strings, "string", nil, "")
	fs.StringArrayVar(&o.NonNull, "nonnull", nil, "")
	fs.StringArrayVar(&o.Assumes, "assume", nil, "")
	fs.BoolVar(&o.AnyEnum, "any-enum", false, "")
	fs.BoolVar(&o.StubOutputs, "stub-outputs", false, "")
	fs.BoolVar(&o.NoGuess, "no-guess", false, "")
	fs.IntVar(&o.MaxArray, "max-array", 0, "")
	fs.IntVar(&o.MaxString, "max-string", 0, "")
	fs.IntVar(&o.MaxDepth, "max-depth", 0, "")
	variant := fs.String("variant", "", "")
	var arrays, ranges, aliases, stubs []string
	fs.StringArrayVar(&arrays, "array", nil, "")
	fs.StringArrayVar(&ranges, "range", nil, "")
	fs.StringArrayVar(&aliases, "alias", nil, "")
	fs.StringArrayVar(&stubs, "stub", nil, "")
	if err := fs.Parse(words(text)); err != nil {
		return o, err
	}
	if o.Variant, err = ParseVariant(*variant); err != nil {
		return o, err
	}
	for _, s := range arrays {
		r, err := ParseRelation("--array", s)
		if err != nil {
			return o, err
		}
		o.Arrays = append(o.Arrays, r)
	}
	for _, s := range ranges {
		r, err := ParseRange(s)
		if err != nil {
			return o, err
		}
		o.Ranges = append(o.Ranges, r)
	}
	for _, s := range aliases {
		r, err := ParseAlias(s)
		if err != nil {
			return o, err
		}
		o.Aliases = append(o.Aliases, r)
	}
	for _, s := range stubs {
		r, err := ParseStub(s)
		if err != nil {
			return o, err
		}
		o.Stubs = append(o.Stubs, r)
	}
	return o, nil
}

// words splits at spaces outside of single quotes.
func words(s string) (out []string) {
	for i, part := range strings.Split(s, "'") {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}
