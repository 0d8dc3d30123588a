package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/drivers"
	"klabel/toolchain"
)

// driverFlags say what a driver may assume of its inputs. driver and run share
// them; every one can stand in klabel.toml.
type driverFlags struct {
	globals                        []string
	anyEnum, noGuess, stubOutputs  bool
	maxArray, maxString, maxDepth  int
	arrays, strings, nonNull       []string
	ranges, assumes, aliases, stub []string
	symArgs                        string
}

func (f *driverFlags) add(fs *pflag.FlagSet) {
	fs.StringSliceVar(&f.globals, "global", nil, "make this `global` symbolic; '*' for all that the function reads")
	fs.BoolVar(&f.anyEnum, "any-enum", false, "enumerations take any value, not their items alone")
	fs.IntVar(&f.maxArray, "max-array", drivers.DefaultMaxArray, "`items` behind a pointer, at most")
	fs.IntVar(&f.maxString, "max-string", drivers.DefaultMaxString, "`characters` of a string, at most")
	fs.IntVar(&f.maxDepth, "max-depth", drivers.DefaultMaxDepth, "`pointers` that are followed in a linked structure")
	fs.StringArrayVar(&f.arrays, "array", nil, "pointer P has N items, `P:N`; N is an input or a number")
	fs.StringArrayVar(&f.strings, "string", nil, "this `pointer` is a C string")
	fs.StringArrayVar(&f.nonNull, "nonnull", nil, "this `pointer` is not NULL")
	fs.StringArrayVar(&f.ranges, "range", nil, "bounds of an input, `X:LOW..HIGH`; p[] for all items of p")
	fs.StringArrayVar(&f.assumes, "assume", nil, "C `condition` on the inputs")
	fs.StringArrayVar(&f.aliases, "alias", nil, "pointer Q may share the target of P, `P,Q`")
	fs.StringArrayVar(&f.stub, "stub", nil, "replace a function, `F=symbolic` or F=concrete:VALUE")
	fs.BoolVar(&f.stubOutputs, "stub-outputs", false, "stubs write symbolic values through their pointer arguments")
	fs.BoolVar(&f.noGuess, "no-guess", false, "do not take 'T *p, int n' for an array of n items")
	fs.StringVar(&f.symArgs, "sym-argv", "", "of main: symbolic arguments by their `lengths`, as in 3,8")
}

// options are the flags in the words of package drivers.
func (f *driverFlags) options(function string) (drivers.Options, error) {
	o := drivers.Options{
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
			return o, usageError(fmt.Errorf("--%s %d: 1 to %d are possible", bound.flag, bound.value, bound.most))
		}
	}
	for _, s := range f.arrays {
		r, err := drivers.ParseRelation("--array", s)
		if err != nil {
			return o, usageError(err)
		}
		o.Arrays = append(o.Arrays, r)
	}
	for _, s := range f.ranges {
		r, err := drivers.ParseRange(s)
		if err != nil {
			return o, usageError(err)
		}
		o.Ranges = append(o.Ranges, r)
	}
	for _, s := range f.aliases {
		r, err := drivers.ParseAlias(s)
		if err != nil {
			return o, usageError(err)
		}
		o.Aliases = append(o.Aliases, r)
	}
	for _, s := range f.stub {
		r, err := drivers.ParseStub(s)
		if err != nil {
			return o, usageError(err)
		}
		o.Stubs = append(o.Stubs, r)
	}
	if f.symArgs != "" {
		for _, s := range strings.Split(f.symArgs, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil || n < 1 || n > 4096 {
				return o, usageError(fmt.Errorf("--sym-argv %s: want lengths, as in 3,8", f.symArgs))
			}
			o.SymArgs = append(o.SymArgs, n)
		}
	}
	return o, nil
}

func newDriverCmd() *cobra.Command {
	var src sourceFlags
	var drv driverFlags
	var proj projectFlags
	var function, variant string
	var whole bool
	cmd := &cobra.Command{
		Use:   "driver FILE --function NAME",
		Short: "Print the driver of a function",
		Long: `Prints the C that klabel appends to a file to call one of its functions with
symbolic arguments: what 'klabel run FILE --function NAME' uses.

A pointer is NULL, or points to one item, or to an array of at most --max-array
items, or, a char pointer, to a string of at most --max-string characters. An
integer that follows a pointer and is called n, len, size or the like is taken
for its number of items. Functions that are not defined get a stub.`,
		Example: `  klabel driver sort.c --function sort --array t:n
  klabel driver list.c --function insert --nonnull head --max-depth 2
  klabel driver clock.c --function tick --global '*' --range hour:0..23`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, args, err := proj.apply(cmd, args, function)
			if err != nil {
				return err
			}
			if len(args) != 1 {
				return usageError(fmt.Errorf("driver: %d C files: want one (see 'klabel driver --help')",
					len(args)))
			}
			if function == "" {
				return usageError(errors.New("no --function NAME: which function shall the driver call?"))
			}
			o, err := drv.options(function)
			if err != nil {
				return err
			}
			if o.Variant, err = drivers.ParseVariant(variant); err != nil {
				return err
			}
			j := campaign.Job{Flags: src.flags(), LabelMacros: src.labelMacros, Driver: o}
			if j.Sources, err = src.sources(args); err != nil {
				return err
			}
			tools, err := toolchain.Probe(cmd.Context(), src.want(false))
			if err != nil {
				return err
			}
			d, err := campaign.Driver(cmd.Context(), j, whole, tools)
			if err != nil {
				return err
			}
			for _, w := range d.Warnings {
				fmt.Fprintln(cmd.ErrOrStderr(), "klabel: warning:", w)
			}
			_, err = cmd.OutOrStdout().Write(d.Text)
			return err
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&function, "function", "f", "", "`name` of the function to call")
	fs.StringVar(&variant, "variant", "", "`kind` of entry: state, calls, sharing, wider, widest; none: its "+
		"parameters alone")
	fs.BoolVar(&whole, "whole", false, "print the preprocessed file and the driver, a program")
	proj.add(fs)
	drv.add(fs)
	src.add(fs)
	return cmd
}
