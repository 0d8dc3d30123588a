package toolchain

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"klabel/fault"
)

// ErrMissing matches, with errors.Is, every error that says that a needed tool
// is not installed or not usable together with the others.
var ErrMissing = errors.New("a needed tool is missing")

// ErrTimeout matches the ToolError of a process that reached its time limit.
var ErrTimeout = errors.New("time limit reached")

// ErrStopped matches the ToolError of a process that was ended through Stop or
// Kill and did not exit with status 0.
var ErrStopped = errors.New("stopped")

// MissingError says which tool is missing, why it is needed or does not fit,
// and what to install.
type MissingError struct {
	Tool    string // "clang", "KLEE"
	Why     string // "not found on PATH"
	Install string // "apt-get install clang"
}

func (e *MissingError) Error() string { return fault.Text(e.Tool+": "+e.Why, e.Install) }

// Hint is what to install.
func (e *MissingError) Hint() string { return e.Install }

// ExitCode is klabel's for a missing tool.
func (e *MissingError) ExitCode() int { return fault.ToolMissing }

// Is makes every MissingError match ErrMissing.
func (e *MissingError) Is(target error) bool { return target == ErrMissing }

// ToolError is the failure of an external program.
type ToolError struct {
	Argv     []string
	ExitCode int            // -1 when a signal ended the process or it never started
	Signal   syscall.Signal // the signal that ended it, 0 if none
	Stderr   string         // the end of its standard error
	Elapsed  time.Duration
	Cause    error // ErrTimeout, ErrStopped, a context's error, or that of the start
}

// Error is one line that names the program, how it ended and its most telling
// line of output. What the user can do is a hint around it (package fault).
func (e *ToolError) Error() string {
	name := "command"
	if len(e.Argv) > 0 {
		name = filepath.Base(e.Argv[0])
	}
	s := name + ": " + e.how()
	if line := TellingLine(e.Stderr); line != "" {
		s += ": " + line
	}
	return s
}

func (e *ToolError) how() string {
	switch {
	case errors.Is(e.Cause, ErrTimeout):
		return fmt.Sprintf("time limit reached after %s", e.Elapsed.Round(time.Millisecond))
	case e.Cause != nil:
		return e.Cause.Error()
	case e.Signal != 0:
		return "ended by signal " + signalName(e.Signal)
	default:
		return fmt.Sprintf("exit status %d", e.ExitCode)
	}
}

// Unwrap gives the cause, so that errors.Is finds ErrTimeout, ErrStopped and
// the errors of a context.
func (e *ToolError) Unwrap() error { return e.Cause }

// TellingLine picks the line of a program's error output that says most: the
// first that holds "error:" (any case), else the last one that is not empty. A
// linker speaks before clang says that it failed: then that is the line.
func TellingLine(stderr string) string {
	last, full := "", ""
	for line := range strings.SplitSeq(stderr, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if strings.Contains(line, "No space left on device") {
			full = line
		}
		if strings.Contains(line, "linker command failed") {
			if full != "" {
				return full
			}
			if last != "" {
				return last // what the linker itself said stands before it
			}
		}
		if strings.Contains(strings.ToLower(line), "error:") {
			return line
		}
		// Why stands before these: the linker's last word, and where a compiler was when it ended.
		if !strings.HasSuffix(line, "final link failed: bad value") && !reFrame.MatchString(line) {
			last = line
		}
	}
	return last
}

var reFrame = regexp.MustCompile(`^#\d+ 0x[0-9a-f]+ `)

// reUndefined are linkers' words for a name that nothing defines: GNU's, and those of lld.
var reUndefined = regexp.MustCompile("undefined (?:reference to|symbol:|hidden symbol:) ?[`']?([A-Za-z_]\\w*)'?|" +
	"(?:hidden|internal|protected) symbol [`']([A-Za-z_]\\w*)' isn't defined")

// Undefined are the names that a linker, in its error output, says to be defined nowhere; sorted.
func Undefined(stderr string) (names []string) {
	for _, m := range reUndefined.FindAllStringSubmatch(stderr, -1) {
		names = append(names, m[1]+m[2])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGKILL:
		return "KILL"
	case syscall.SIGTERM:
		return "TERM"
	case syscall.SIGINT:
		return "INT"
	case syscall.SIGSEGV:
		return "SEGV"
	case syscall.SIGABRT:
		return "ABRT"
	case syscall.SIGXCPU:
		return "XCPU"
	case syscall.SIGXFSZ:
		return "XFSZ (a file of it became too large)"
	}
	return fmt.Sprintf("%d (%s)", int(s), s)
}

func asMissing(err error, target **MissingError) bool { return errors.As(err, target) }
