// Package fault gives errors what a command line needs of them: an exit code,
// and a hint that says what to do.
//
// It exists so that the code and the hint travel with the error from where they
// are known, and nobody guesses them from its type or its text. Any error may
// have a code: the one that implements Coder and is found first by errors.As
// decides.
//
// What is shown to people of other people's text goes through Visible.
//
// Limits: it knows nothing of commands. An error without a code has failed.
package fault

import (
	"errors"
	"fmt"
)

// The exit codes of klabel, as `klabel help exit-codes` explains them.
const (
	Done        = 0
	Failed      = 1
	Usage       = 2
	Under       = 3 // less coverage than was asked for
	ToolMissing = 4
	Interrupted = 130
)

// Coder is an error that knows its exit code.
type Coder interface {
	error
	ExitCode() int
}

type coded struct {
	error
	code int
}

func (e coded) ExitCode() int { return e.code }
func (e coded) Unwrap() error { return e.error }

// WithCode gives err an exit code; nil stays nil.
func WithCode(code int, err error) error {
	if err == nil {
		return nil
	}
	return coded{err, code}
}

// Usagef is an error of the command line, the project file or a job: what was
// asked for makes no sense, whatever the machine.
func Usagef(format string, a ...any) error { return coded{fmt.Errorf(format, a...), Usage} }

// Code is the exit code of err: Done for nil, Failed for an error without one.
func Code(err error) int {
	var c Coder
	switch {
	case err == nil:
		return Done
	case errors.As(err, &c):
		return c.ExitCode()
	}
	return Failed
}

type hinted struct {
	error
	hint string
}

func (e hinted) Error() string { return Text(e.error.Error(), e.hint) }
func (e hinted) Unwrap() error { return e.error }
func (e hinted) Hint() string  { return e.hint }

// WithHint adds a line that says what to do, if there is something to say. An error
// that has a hint already, or is nil, stays as it is: the one nearest to the fault
// knows best.
func WithHint(err error, format string, a ...any) error {
	hint := fmt.Sprintf(format, a...)
	if err == nil || hint == "" || Hint(err) != "" {
		return err
	}
	return hinted{err, hint}
}

// Text is a message with its hint, "" for none, on a line of its own.
func Text(message, hint string) string {
	if hint == "" {
		return message
	}
	return message + "\nhint: " + hint
}

// Hint is the hint of err, "" without one.
func Hint(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}
