// Command klabel generates tests for C programs that satisfy a coverage
// criterion written as labels. main only wires; each command has a file.
//
// Messages follow rules. They go to standard error, begin with "klabel: " and a
// small letter, and end without a full stop; results alone go to standard output.
// A message says first where it is wrong (file:line:column, or the flag), then what
// is wrong, once: whoever adds context does not repeat what is there. What cannot
// be chosen is said with what can: unknown engine "x": want auto, klee, native or fuzz.
// Where the user can do something, a second line says what: "hint: " and a command
// or a flag as it is typed. No message names a function of klabel's or shows a
// trace; an error carries its hint and its exit code as values (package fault).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"klabel/disk"
	"klabel/engine/native"
	"klabel/fault"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program as a function of its inputs; its result is the exit
// code. The first INT, TERM or HUP cancels the context, so that what was found
// is kept; the second one ends the process as it would end any other.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			// Kept for -vv; a person who meets it needs the first line alone.
			fmt.Fprintf(stderr, "klabel: internal error: %v\n"+
				"klabel: this is a bug in klabel; what was found so far is kept in the output directory\n", p)
			if slices.Contains(args, "-vv") {
				fmt.Fprintf(stderr, "%s", debug.Stack())
			}
			code = fault.Failed
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if len(args) == 0 || args[0] != native.Subcommand { // whose files are klabel's that started it
		defer disk.OwnTemp()()
		defer collectSeldom()()
	}
	go func() {
		<-ctx.Done()
		stop()
	}()
	root := newRootCmd()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return fault.Done
	}
	code = exitCode(ctx, err)
	if code == fault.Interrupted && errors.Is(err, context.Canceled) {
		// which tool it was that had to stop does not matter
		err = errors.New("interrupted; what was found before is kept")
	}
	err = fault.WithHint(err, "%s", disk.Advice(err))
	if !errors.Is(err, errSilent) {
		say(stderr, err.Error()) // a hint stands on a line of its own within it
	}
	return code
}
