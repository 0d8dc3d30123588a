// Package driverstest reads the options of drivers that tests write down.
//
// It exists because comments of test programs hold options as on the command
// line, here and for C tests. It promises to read them as the command line does.
// Limits: single quotes keep spaces; there is no other quoting.
package driverstest

import (
	"strings"

	"github.com/spf13/pflag"

	"klabel/drivers"
)

// Options reads options written as on the command line, --variant included.
func Options(text string) (drivers.Options, error) {
	var f drivers.Flags
	fs := pflag.NewFlagSet("driver", pflag.ContinueOnError)
	f.Add(fs)
	variant := fs.String("variant", "", "")
	if err := fs.Parse(words(text)); err != nil {
		return drivers.Options{}, err
	}
	o, err := f.Options("")
	if err == nil {
		o.Variant, err = drivers.ParseVariant(*variant)
	}
	return o, err
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
