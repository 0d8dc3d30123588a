package drivers

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"klabel/fault"
)

// Flags say what a driver may assume of its inputs, as a command line or a
// klabel.toml writes it.
type Flags struct {
	globals                        []string
	anyEnum, noGuess, stubOutputs  bool
	maxArray, maxString, maxDepth  int
	arrays, strings, nonNull       []string
	ranges, assumes, aliases, stub []string
	symArgs                        string
}

// Add puts the flags into a set, with their defaults.
func (f *Flags) Add(fs *pflag.FlagSet) {
	fs.StringSliceVar(&f.globals, "global", nil, "make this `global` symbolic; '*' for all that the function reads")
	fs.BoolVar(&f.anyEnum, "any-enum", false, "enumerations take any value, not their items alone")
	fs.IntVar(&f.maxArray, "max-array", DefaultMaxArray, "`items` behind a pointer, at most")
	fs.IntVar(&f.maxString, "max-string", DefaultMaxString, "`characters` of a string, at most")
	fs.IntVar(&f.maxDepth, "max-depth", DefaultMaxDepth, "`pointers` that are followed in a linked structure")
	fs.StringArrayVar(&f.arrays, "array", nil, "pointer P has N items, `P:N`; N is an input or a number")
	fs.StringArrayVar(&f.strings, "string", nil, "this `pointer` is a C string")
	fs.StringArrayVar(&f.nonNull, "nonnull", nil, "this `pointer` is not NULL")
	fs.StringArrayVar(&f.ranges, "range", nil, "bounds of an input, `X:LOW..HIGH`; p[] for all items of p")
	fs.StringArrayVar(&f.assumes, "assume", nil, "C `condition` on the inputs")
	fs.StringArrayVar(&f.aliases, "alias", nil, "pointer Q may share the target of P, `P,Q`")
	fs.StringArrayVar(&f.stub, "stub", nil, "replace a function, `F=symbolic`, F=concrete:VALUE, or F=mock, "+
		"of which C tests check the calls")
	fs.BoolVar(&f.stubOutputs, "stub-outputs", false, "stubs write symbolic values through their pointer arguments")
	fs.BoolVar(&f.noGuess, "no-guess", false, "take no name for a length or an end: 'T *p, int n', 'T *p, T *end'")
	fs.StringVar(&f.symArgs, "sym-argv", "", "of main: symbolic arguments by their `lengths`, as in 3,8")
}

// Options are what the flags say, for one function.
func (f *Flags) Options(function string) (Options, error) {
	o := Options{
		Function: function, Globals: f.globals, AnyEnum: f.anyEnum, NoGuess: f.noGuess, StubOutputs: f.stubOutputs,
		MaxArray: f.maxArray, MaxString: f.maxString, MaxDepth: f.maxDepth,
		Strings: f.strings, NonNull: f.nonNull, Assumes: f.assumes,
	}
	for _, bound := range []struct {
		flag  string
		value int
		most  int
	}{{"max-array", f.maxArray, 256}, {"max-string", f.maxString, 4096}, {"max-depth", f.maxDepth, 16}} {
		if bound.value < 1 || bound.value > bound.most {
			return o, fault.Usagef("--%s %d: want 1 to %d", bound.flag, bound.value, bound.most)
		}
	}
	err := parseAll(&o.Arrays, f.arrays, func(s string) (Relation, error) { return ParseRelation("--array", s) })
	if err == nil {
		err = parseAll(&o.Ranges, f.ranges, ParseRange)
	}
	if err == nil {
		err = parseAll(&o.Aliases, f.aliases, ParseAlias)
	}
	if err == nil {
		err = parseAll(&o.Stubs, f.stub, ParseStub)
	}
	if err != nil {
		return o, fault.WithCode(fault.Usage, err)
	}
	if f.symArgs != "" {
		for _, s := range strings.Split(f.symArgs, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil || n < 1 || n > 4096 {
				return o, fault.Usagef("--sym-argv %s: want lengths, as in 3,8", f.symArgs)
			}
			o.SymArgs = append(o.SymArgs, n)
		}
	}
	return o, nil
}

// parseAll reads each of the texts.
func parseAll[T any](to *[]T, texts []string, parse func(string) (T, error)) error {
	for _, s := range texts {
		x, err := parse(s)
		if err != nil {
			return err
		}
		*to = append(*to, x)
	}
	return nil
}
