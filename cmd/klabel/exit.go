package main

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"klabel/fault"
)

// errSilent marks an error whose text was already printed in another form.
var errSilent = errors.New("already reported")

// flagError says what is wrong with a flag without the parser's own words.
func flagError(_ *cobra.Command, err error) error {
	text := err.Error()
	for pattern, say := range map[string]string{
		`strconv\.Parse(Ui|I)nt: .*invalid syntax`: "want a whole number", `strconv\.ParseBool: .*`: "want true or false",
		`strconv\.ParseFloat: .*invalid syntax`: "want a number", `strconv\.Parse.*value out of range`: "the number is out of range",
		`time: .*`: "want a time, as in 30s or 5m",
	} {
		text = regexp.MustCompile(pattern).ReplaceAllLiteralString(text, say)
	}
	return usageError(errors.New(text))
}

func usageError(err error) error { return fault.WithCode(fault.Usage, err) }

// exitCode maps what a command returned to the exit code. Errors carry theirs;
// what is left is the context's end, and what cobra says as plain errors.
func exitCode(ctx context.Context, err error) int {
	code := fault.Code(err)
	switch {
	case code != fault.Failed:
		return code
	case ctx.Err() != nil:
		return fault.Interrupted
	case strings.HasPrefix(err.Error(), "unknown command"), strings.HasPrefix(err.Error(), "required flag"),
		strings.HasPrefix(err.Error(), "if any flags in the group"):
		return fault.Usage
	}
	return code
}
