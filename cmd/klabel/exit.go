package main

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"klabel/annotate"
	"klabel/campaign"
	"klabel/drivers"
	"klabel/toolchain"
)

// Exit codes, as documented in `klabel help exit-codes`.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitFailUnder   = 3
	exitToolMissing = 4
	exitInterrupted = 130
)

// errSilent marks an error whose text was already printed in another form.
var errSilent = errors.New("already reported")

// codedError is an error that knows its exit code.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// flagError says what is wrong with a flag without the parser's own words.
func flagError(_ *cobra.Command, err error) error {
	text := err.Error()
	for pattern, say := range map[string]string{
		`strconv\.Parse(Ui|I)nt: .*invalid syntax`: "a whole number is wanted", `strconv\.ParseBool: .*`: "true or false is wanted",
		`strconv\.ParseFloat: .*invalid syntax`: "a number is wanted", `strconv\.Parse.*value out of range`: "the number is out of range",
		`time: .*`: "a time is wanted, as in 30s or 5m",
	} {
		text = regexp.MustCompile(pattern).ReplaceAllLiteralString(text, say)
	}
	return usageError(errors.New(text))
}

func usageError(err error) error { return &codedError{exitUsage, err} }

func exitCode(ctx context.Context, err error) int {
	var coded *codedError
	var usage *campaign.UsageError
	var wish *annotate.UsageError
	var function *drivers.UnknownFunctionError
	var relation *drivers.RelationError
	switch {
	case errors.As(err, &usage), errors.As(err, &wish), errors.As(err, &function), errors.As(err, &relation):
		return exitUsage
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, toolchain.ErrMissing):
		return exitToolMissing
	case ctx.Err() != nil:
		return exitInterrupted
	case strings.HasPrefix(err.Error(), "unknown command"), strings.HasPrefix(err.Error(), "required flag"),
		strings.HasPrefix(err.Error(), "if any flags in the group"):
		return exitUsage // cobra returns these as plain errors
	}
	return exitFailed
}
