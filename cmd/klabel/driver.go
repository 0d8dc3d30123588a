package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/drivers"
	"klabel/toolchain"
)

// driverFlags are the command line of driver.
type driverFlags struct {
	src               sourceFlags
	drv               drivers.Flags
	proj              projectFlags
	function, variant string
	whole             bool
}

func newDriverCmd() *cobra.Command {
	var f driverFlags
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
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *driverFlags) add(fs *pflag.FlagSet) {
	fs.StringVarP(&f.function, "function", "f", "", "`name` of the function to call")
	fs.StringVar(&f.variant, "variant", "", "`kind` of entry: state, room, calls, sharing, wider, widest; none: its "+
		"parameters alone")
	fs.BoolVar(&f.whole, "whole", false, "print the preprocessed file and the driver, a program")
	f.proj.add(fs)
	f.drv.Add(fs)
	f.src.add(fs)
}

func (f *driverFlags) run(cmd *cobra.Command, args []string) error {
	p, args, err := f.proj.apply(cmd, args, f.function)
	if err == nil && f.src.build != "" {
		err = f.src.look(cmd, p, len(args) > 0)
	}
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return usageError(fmt.Errorf("driver: %d C files: want one (see 'klabel driver --help')",
			len(args)))
	}
	if f.function == "" {
		return usageError(errors.New("no --function NAME: which function shall the driver call?"))
	}
	o, err := f.drv.Options(f.function)
	if err != nil {
		return err
	}
	if o.Variant, err = drivers.ParseVariant(f.variant); err != nil {
		return err
	}
	j := campaign.Job{Flags: f.src.flags(), LabelMacros: f.src.labelMacros, Driver: o}
	if j.Sources, err = f.src.sources(args); err != nil {
		return err
	}
	tools, err := toolchain.Probe(cmd.Context(), f.src.want(false))
	if err != nil {
		return err
	}
	d, err := campaign.Driver(cmd.Context(), j, f.whole, tools)
	if err != nil {
		return err
	}
	for _, w := range d.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "klabel: warning:", w)
	}
	_, err = cmd.OutOrStdout().Write(d.Text)
	return err
}
