package main

import (
	"context"
	"errors"
	"strings"

	"klabel/campaign"
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

func usageError(err error) error { return &codedError{exitUsage, err} }

func exitCode(ctx context.Context, err error) int {
	var coded *codedError
	var usage *campaign.UsageError
	switch {
	case errors.As(err, &usage):
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
